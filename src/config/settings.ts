import type { Severity } from "../core/remark-severity.ts";
import type { FileSettings } from "./file-schema.ts";
import { gateSettings, type GateSettings } from "./gate-policy.ts";
import { mergeLayers, tightenBy, type RepositorySettings } from "./merge.ts";
import type { JOB_KINDS, PERMISSIONS } from "./values.ts";

export type JobKind = (typeof JOB_KINDS)[number];
type Autonomy = "read" | "plan" | "publish";

interface Commands {
  readonly setup?: string;
  readonly build?: string;
  readonly test?: string;
}

/** How pull requests are reviewed. */
export interface ReviewSettings {
  readonly enabled: boolean;
  /** Without it no label is needed; compares without regard to case. */
  readonly label?: string;
  readonly bots: boolean;
  readonly required: boolean;
  /** Globs; all files when there is none. */
  readonly paths: readonly string[];
  readonly ignore: readonly string[];
  /** Files; without it only the room of a review limits them. */
  readonly max_files?: number;
  readonly min_severity: Severity;
  readonly max_remarks: number;
  readonly refute: boolean;
  readonly check_suggestions: boolean;
}

/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached_input?: number;
}

/** What holds for one run: all layers of the configuration, merged over the defaults. Plain data, named as the file names it. */
export interface Settings {
  readonly permission: (typeof PERMISSIONS)[number];
  readonly enabled: boolean | "observe";
  /** Compares without regard to case. */
  readonly label: string;
  readonly assignee?: string;
  /** Numeric user ids. */
  readonly bots: readonly number[];
  readonly ignored_authors: readonly string[];
  readonly triggers: { readonly issues: "mention" | "triage" | "fix"; readonly labels: boolean };
  readonly gate_check: { readonly enabled: boolean; readonly code_scanning: boolean };
  readonly schedules: readonly { readonly cron: string; readonly task: string }[];
  /** Times of the day, `22:00`. */
  readonly quiet_hours?: { readonly from: string; readonly to: string; readonly timezone?: string };
  readonly review: ReviewSettings;
  readonly ci: {
    readonly mode: "fix" | "explain" | "off";
    readonly issue: boolean;
    readonly rerun: boolean;
    /** Names of jobs; `*` stands for anything. */
    readonly flaky: readonly string[];
    readonly attempts: number;
  };
  readonly autonomy: Readonly<Record<JobKind, Autonomy>>;
  readonly commands: Commands & { readonly paths: Readonly<Record<string, Commands>> };
  readonly instructions: { readonly all?: string; readonly paths: Readonly<Record<string, string>> };
  readonly language?: string;
  readonly compaction: "digest" | "summary";
  readonly memory: boolean;
  readonly repair: { readonly attempts: number };
  /** In the order in which they are tried; empty when nobody set one. */
  readonly model: readonly string[];
  readonly models: { readonly [kind in JobKind | "review_refute"]?: readonly string[] };
  /** By model. */
  readonly prices: Readonly<Record<string, Price>>;
  /** Tokens: of every model, or by model. */
  readonly context_window?: number | Readonly<Record<string, number>>;
  readonly max_turns: number;
  readonly max_minutes: number;
  readonly max_tokens: number;
  /** Dollars. */
  readonly max_usd: number;
  /** Whether somebody set `max_usd`: then a model whose price is unknown is refused. */
  readonly max_usd_is_set: boolean;
  readonly daily_usd: { readonly user?: number; readonly repository?: number; readonly organisation?: number };
  readonly gate: GateSettings;
  readonly retention: { readonly days: number };
}

/** Everything but the gate, which has defaults of its own. */
const DEFAULTS: Omit<Settings, "gate" | "max_usd_is_set"> = {
  permission: "write",
  enabled: true,
  label: "sallyport",
  bots: [],
  ignored_authors: [],
  triggers: { issues: "mention", labels: false },
  gate_check: { enabled: false, code_scanning: false },
  schedules: [],
  review: {
    enabled: true,
    bots: false,
    required: false,
    paths: [],
    ignore: [],
    min_severity: "nit",
    max_remarks: 100,
    refute: false,
    check_suggestions: false,
  },
  ci: { mode: "fix", issue: false, rerun: false, flaky: [], attempts: 2 },
  autonomy: { mention: "publish", review: "publish", ci: "publish", triage: "publish", task: "publish" },
  commands: { paths: {} },
  instructions: { paths: {} },
  compaction: "digest",
  memory: true,
  repair: { attempts: 3 },
  model: [],
  models: {},
  prices: {},
  max_turns: 50,
  max_minutes: 20,
  max_tokens: 2_000_000,
  max_usd: 5,
  daily_usd: {},
  retention: { days: 30 },
};

/**
 * Merges what the layers set, the server's first and the repository's last, over the defaults. Server-only keys are not among them.
 * @param held what could be read of faulty layers about gate, permission and budgets: it can only tighten
 */
export function settingsOf(layers: readonly FileSettings[], held: readonly FileSettings[] = []): Settings {
  const merged = held.reduce<RepositorySettings>((so, one) => tightenBy(so, one, standing()), mergeLayers(layers));
  const { gate = {}, max_usd, ...said } = merged;
  return {
    ...overDefaults(DEFAULTS, said),
    max_usd: max_usd ?? DEFAULTS.max_usd,
    max_usd_is_set: max_usd !== undefined,
    gate: gateSettings([gate]),
  };
}

/** The defaults as a layer. No team means that membership is not asked, which is nothing that a named team could loosen. */
function standing(): FileSettings {
  const gate = gateSettings([]);
  const { teams: _, ...approvals } = gate.approvals;
  return { ...DEFAULTS, gate: { ...gate, approvals } } as unknown as FileSettings;
}

/** The settings of a repository whose owners have set none. */
export const DEFAULT_SETTINGS: Readonly<Settings> = Object.freeze(settingsOf([]));

/** Values over their defaults, key by key; a list, and a value that is no object, is taken whole. */
function overDefaults<T extends object>(defaults: T, said: object): T {
  const merged = { ...defaults } as Record<string, unknown>;
  for (const [key, value] of Object.entries(said)) {
    const fallback = merged[key];
    if (value !== undefined) merged[key] = isPlain(fallback) && isPlain(value) ? overDefaults(fallback, value) : value;
  }
  return merged as T;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
