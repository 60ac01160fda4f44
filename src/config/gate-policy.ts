import picomatch from "picomatch";
import { z } from "zod";
import { both, common, defined, each, firstOf, least, ranked, type Stricter, type StricterOf } from "./tighten.ts";
import { count, glob, names, PERMISSIONS } from "./values.ts";

const PROTECTIONS = ["warn", "ask", "block"] as const;
const VULNERABILITIES = ["low", "medium", "high", "critical"] as const;
const UNITS: Readonly<Record<string, number>> = { B: 1, kB: 1e3, KB: 1e3, MB: 1e6, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

const bytes = z.union(
  [
    count,
    z
      .string()
      .regex(/^\d{1,9} ?(?:B|kB|KB|MB|KiB|MiB|GiB)$/)
      .transform((text) => Number.parseInt(text, 10) * (UNITS[text.replace(/^\d+ ?/, "")] ?? 1)),
  ],
  "expected a number of bytes, or one with its unit such as 4 MiB",
);

const says = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });
const host = z.string().regex(/^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/i, "expected a host name");

/** What one layer of the configuration may say under `gate:`. */
export const gateSchema = z
  .strictObject({
    protected: says(z.record(glob, z.enum(PROTECTIONS)), "Glob or path to severity, over the built-in table."),
    impact: says(
      z
        .strictObject({
          warn: says(count, "More places than these are pointed out."),
          ask: says(count, "More places than these wait for a person."),
        })
        .partial(),
      "Places in the code graph that a change may reach; nobody looks where neither is set.",
    ),
    vulnerabilities: says(
      z
        .strictObject({
          block: says(z.enum(VULNERABILITIES), "The least severity that blocks."),
          warn: says(z.enum(VULNERABILITIES), "The least severity that is pointed out."),
        })
        .partial(),
      "Known vulnerabilities of packages that come in. Malware always blocks.",
    ),
    dependencies: says(
      z
        .strictObject({
          new: says(z.enum(["allow", ...PROTECTIONS]), "What a package means that was not there before."),
          allow: says(names, "Names that may be added without a word."),
          deny: says(names, "Names that may not be added."),
        })
        .partial(),
      "Packages that come in.",
    ),
    hosts: says(z.array(host), "Hosts beside GitHub that published links may lead to; `*.example.com` stands for all below it."),
    limits: says(
      z
        .strictObject({
          files: says(count, "Changed files of one change."),
          bytes: says(bytes, "New bytes of one change."),
          deleted_share: says(z.number().min(0).max(1), "Share of the files beyond which deletions are pointed out."),
          pull_requests: says(count, "Pull requests that one run may open."),
          comments: says(count, "Comments that one run may write."),
        })
        .partial(),
      "Limits of one run.",
    ),
    approvals: says(
      z
        .strictObject({
          permission: says(z.enum(PERMISSIONS), "What whoever answers must hold in the repository at least."),
          teams: says(
            names,
            "Teams (`organisation/team`); whoever answers must be a member of one. Needs the permission to read the organisation's members.",
          ),
          code_owners: says(
            z.boolean(),
            "Whether whoever answers must own the files that are asked about, by CODEOWNERS of the default branch.",
          ),
          expires_hours: says(z.number().positive().max(8760), "Hours for which a question and its answer count."),
        })
        .partial(),
      "Who answers where the gate asks.",
    ),
    advisories: says(z.enum(["online", "offline"]), "Whether known vulnerabilities are looked up at GitHub, or only in what is stored."),
  })
  .partial();

export type GateLayer = z.output<typeof gateSchema>;

/** The gate's configuration with every value set, but for those that are off unless somebody sets them. */
export interface GateSettings {
  readonly protected: Readonly<Record<string, (typeof PROTECTIONS)[number]>>;
  readonly impact: { readonly warn?: number; readonly ask?: number };
  readonly vulnerabilities: { readonly block: (typeof VULNERABILITIES)[number]; readonly warn: (typeof VULNERABILITIES)[number] };
  readonly dependencies: {
    readonly new: "allow" | (typeof PROTECTIONS)[number];
    readonly allow: readonly string[];
    readonly deny: readonly string[];
  };
  readonly hosts: readonly string[];
  readonly limits: {
    readonly files: number;
    readonly bytes: number;
    readonly deleted_share: number;
    readonly pull_requests: number;
    readonly comments: number;
  };
  readonly approvals: {
    readonly permission: (typeof PERMISSIONS)[number];
    readonly teams: readonly string[];
    readonly code_owners: boolean;
    readonly expires_hours: number;
  };
  readonly advisories: "online" | "offline";
}

const DEFAULTS: GateSettings = {
  protected: {},
  impact: {},
  vulnerabilities: { block: "high", warn: "low" },
  dependencies: { new: "warn", allow: [], deny: [] },
  hosts: [],
  limits: { files: 100, bytes: 4 * 1024 * 1024, deleted_share: 0.2, pull_requests: 1, comments: 20 },
  approvals: { permission: "maintain", teams: [], code_owners: false, expires_hours: 72 },
  advisories: "online",
};

/**
 * The gate's settings of all layers, the server's first, the repository's last. What a layer sets, one behind it can tighten and not loosen;
 * over the defaults each may go either way.
 */
export function gateSettings(layers: readonly GateLayer[]): GateSettings {
  const layer = layers.reduce(tightenGate, {});
  return {
    protected: layer.protected ?? {},
    impact: defined(layer.impact),
    vulnerabilities: { ...DEFAULTS.vulnerabilities, ...defined(layer.vulnerabilities) },
    dependencies: { ...DEFAULTS.dependencies, ...defined(layer.dependencies) },
    hosts: layer.hosts ?? DEFAULTS.hosts,
    limits: { ...DEFAULTS.limits, ...defined(layer.limits) },
    approvals: { ...DEFAULTS.approvals, ...defined(layer.approvals) },
    advisories: layer.advisories ?? DEFAULTS.advisories,
  };
}

type Part<K extends keyof GateLayer> = NonNullable<GateLayer[K]>;

const STRICTER: StricterOf<GateLayer> = {
  protected: protections,
  impact: each<Part<"impact">>({ warn: least, ask: least }),
  vulnerabilities: each<Part<"vulnerabilities">>({ block: firstOf(VULNERABILITIES), warn: firstOf(VULNERABILITIES) }),
  dependencies: each<Part<"dependencies">>({ new: ranked(["allow", ...PROTECTIONS]), allow: common, deny: both }),
  hosts: common,
  limits: each<Part<"limits">>({ files: least, bytes: least, deleted_share: least, pull_requests: least, comments: least }),
  approvals: each<Part<"approvals">>({
    permission: ranked(PERMISSIONS),
    // No team at all means that membership is not asked: to name none of the same is not to tighten.
    teams: (upper, lower) => (common(upper, lower).length > 0 ? common(upper, lower) : upper),
    code_owners: (upper, lower) => upper || lower,
    expires_hours: least,
  }),
  // Which source is asked is the server's to say.
  advisories: (upper) => upper,
};

/** What a lower layer says of the gate, held to what an upper one set. */
export const tightenGate: Stricter<GateLayer> = each<GateLayer>(STRICTER);

type Protections = Part<"protected">;

/** A plain path decides alone for its file, so in a lower layer it may say no less than the globs above it say of that file. */
function protections(upper: Protections, lower: Protections): Protections {
  const stricter = ranked(PROTECTIONS);
  const above = Object.entries(upper).map(([pattern, severity]) => ({
    severity,
    matches: picomatch(pattern, { dot: true, nocase: true }),
  }));
  const merged: Protections = { ...upper };
  for (const [pattern, severity] of Object.entries(lower)) {
    const matching = above.filter(({ matches }) => matches(pattern));
    merged[pattern] = [upper[pattern] ?? severity, ...matching.map((one) => one.severity)].reduce(stricter, severity);
  }
  return merged;
}
