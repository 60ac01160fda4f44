import { SERVER_ONLY, type FileSettings } from "./file-schema.ts";
import { tightenGate } from "./gate-policy.ts";
import { each, least, ranked, type Stricter, type StricterOf } from "./tighten.ts";
import { AUTONOMY, JOB_KINDS, PERMISSIONS } from "./values.ts";

type Daily = NonNullable<FileSettings["daily_usd"]>;
type Autonomy = NonNullable<FileSettings["autonomy"]>;

/** The one that lets less be done unasked. */
const lessFar = ranked(AUTONOMY.toReversed());

/** What a lower layer may tighten and not loosen. Everything else it sets as it likes. */
const HELD = {
  gate: tightenGate,
  permission: ranked(PERMISSIONS),
  enabled: ranked([true, "observe", false]),
  autonomy: each<Autonomy>(Object.fromEntries(JOB_KINDS.map((kind) => [kind, lessFar])) as StricterOf<Autonomy>),
  max_turns: least,
  max_minutes: least,
  max_tokens: least,
  max_usd: least,
  daily_usd: each<Daily>({ user: least, repository: least, organisation: least }),
  retention: each<NonNullable<FileSettings["retention"]>>({ days: least }),
} satisfies { readonly [key in keyof FileSettings]?: Stricter<NonNullable<FileSettings[key]>> };

type HeldKey = keyof typeof HELD;
export const HELD_KEYS = Object.keys(HELD) as readonly HeldKey[];

/** What a repository, or an organisation, may say: server-only keys aside. */
export type RepositorySettings = Omit<FileSettings, "repositories" | "sandbox" | "workspace" | "extensions" | "tools" | "mcp">;

/**
 * Merges layers, the server's first and the repository's last, key by key down to single values; a list is taken whole. For the
 * keys that are held, a layer can only tighten what one before it set.
 */
export function mergeLayers(layers: readonly FileSettings[]): RepositorySettings {
  return layers.reduce<Record<string, unknown>>((merged, layer) => {
    const next = { ...merged };
    for (const [key, value] of Object.entries(layer)) {
      if (value === undefined || SERVER_ONLY.has(key)) continue;
      const upper = merged[key];
      const held = Object.hasOwn(HELD, key) ? (HELD[key as HeldKey] as Stricter<unknown>) : undefined;
      next[key] = upper === undefined ? value : held === undefined ? below(upper, value) : held(upper, value);
    }
    return next;
  }, {});
}

/**
 * What is to hold besides what was merged: it tightens, also over the defaults. `defaults` has a value for every key that has one.
 */
export function tightenBy(merged: RepositorySettings, held: FileSettings, defaults: FileSettings): RepositorySettings {
  const tightened: Record<string, unknown> = { ...merged };
  for (const key of HELD_KEYS) {
    const said = held[key];
    const standing = defaults[key] === undefined ? merged[key] : below(defaults[key], merged[key] ?? defaults[key]);
    if (said !== undefined) tightened[key] = standing === undefined ? said : (HELD[key] as Stricter<unknown>)(standing, said);
  }
  return tightened;
}

function below(upper: unknown, lower: unknown): unknown {
  if (!isPlain(upper) || !isPlain(lower)) return lower;
  const merged = { ...upper };
  for (const [key, value] of Object.entries(lower))
    if (value !== undefined) merged[key] = Object.hasOwn(upper, key) ? below(upper[key], value) : value;
  return merged;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
