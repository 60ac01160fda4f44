import type { RunView } from "../core/run.ts";

/** What a protected path may be set to. */
export type Protection = "block" | "ask" | "warn";

/** The caps of one run. */
export interface GateLimits {
  /** Changed paths in one change set. */
  readonly files: number;
  /** New bytes in one change set. */
  readonly bytes: number;
  /** Share of the base's files, from 0 to 1, beyond which deletions are pointed out. */
  readonly deletedShare: number;
  /** Pull requests that one run may open. */
  readonly pullRequests: number;
  /** Comments that one run may write; edits of its own comment are not counted. */
  readonly comments: number;
}

/** Severities of advisories, from least to most. */
export type VulnerabilityLevel = "low" | "medium" | "high" | "critical";

/** The least severity that blocks, and the least that is pointed out. Malware always blocks. */
export interface VulnerabilityPolicy {
  readonly block: VulnerabilityLevel;
  readonly warn: VulnerabilityLevel;
}

export interface DependencyPolicy {
  /** What a package means that was not there before. */
  readonly newPackages: "allow" | Protection;
  /** Names that may be added without a word, whatever they look like. */
  readonly allow: readonly string[];
  /** Names that may not be added. */
  readonly deny: readonly string[];
}

/** How many places a change may reach before it is pointed out, and before a person is asked. Unset, nobody looks. */
export interface ImpactPolicy {
  readonly warn?: number;
  readonly ask?: number;
}

/** What an operator can set about the gate: plain data, read from the default branch and the server, never from what is judged. */
export interface GatePolicy {
  /**
   * Glob to severity, over the built-in table. A glob that the table has as well, or a plain path, decides alone for what it matches;
   * any other glob can only add.
   */
  readonly protected: Readonly<Record<string, Protection>>;
  readonly limits: GateLimits;
  /** Hosts beside GitHub that published links may lead to; `*.example.com` stands for all below it. */
  readonly hosts: readonly string[];
  readonly vulnerabilities: VulnerabilityPolicy;
  readonly dependencies: DependencyPolicy;
  readonly impact: ImpactPolicy;
  /** Whether known vulnerabilities are looked up; where not, every change of a version asks. */
  readonly advisories: "online" | "offline";
}

/** One value for every run, or one for each. A function that throws holds what is judged. */
export type PerRun<T extends object> = T | ((run: RunView) => T);

export function forRun<T extends object>(value: PerRun<T>, run: RunView): T {
  return typeof value === "function" ? value(run) : value;
}

export const defaultPolicy: GatePolicy = {
  protected: {},
  limits: { files: 100, bytes: 4 * 1024 * 1024, deletedShare: 0.2, pullRequests: 1, comments: 20 },
  hosts: [],
  vulnerabilities: { block: "high", warn: "low" },
  dependencies: { newPackages: "warn", allow: [], deny: [] },
  impact: {},
  advisories: "online",
};
