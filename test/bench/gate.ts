import { createHash } from "node:crypto";
import type { Commit } from "../../src/core/operation.ts";
import { changesOf, textsOf } from "../../src/gate/contents.ts";
import type { Judged } from "../../src/gate/judged.ts";
import { defaultPolicy } from "../../src/gate/policy.ts";
import { builtInRules } from "../../src/gate/rules.ts";
import { workerScanner } from "../../src/gate/secrets/worker-scanner.ts";
import { comment, commit, run, scope, write } from "../unit/gate/fixtures.ts";
import { randomText } from "../../packages/write-path-corpus/src/expand.ts";
import { measureGroups } from "./bench.ts";
import type { BenchGroup, Groups, Target } from "./bench.ts";

const HOSTILE_BYTES = 65_536;
const FILES = 1000;
const FILE_BYTES = 10_000;

/** What makes careless patterns slow, and what opens the most doors of a careful one. */
const UNITS = [
  "a",
  "A1",
  "ghp_",
  "eyJa.",
  "://a:b@",
  "-----BEGIN RSA PRIVATE KEY-----\n",
  "%41&#65;",
  "12, ",
  "\u200b",
  "\u0430a",
  "{a: ",
  "UEsD",
];
const hostile = UNITS.map((unit) => unit.repeat(Math.ceil(HOSTILE_BYTES / Buffer.byteLength(unit))).slice(0, HOSTILE_BYTES));

const contents: Readonly<Record<string, (index: number) => string>> = {
  code: (index) =>
    `export function step${index}(a: number): number {\n  const secret = process.env.TOKEN_${index};\n  return a + ${index};\n}\n`.repeat(
      100,
    ),
  base64: (index) => Buffer.from(randomText(FILE_BYTES, `base64 ${index}`)).toString("base64"),
  prose: (index) => `Это текст ${index} с буквами — und mit Wörtern, 日本語も。 `.repeat(200),
};

/** Each rule alone, on hostile texts of 64 KB and on change sets of a thousand files and 10 MB. The reference hashes the same bytes. */
export function gateGroups(): readonly BenchGroup[] {
  const held = [randomText(40, "held"), `-----BEGIN RSA PRIVATE KEY-----\n${randomText(1600, "key")}\n-----END RSA PRIVATE KEY-----\n`];
  const limits = { ...defaultPolicy.limits, files: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };
  const rules = builtInRules({
    policy: { ...defaultPolicy, limits },
    scope: () => scope,
    heldSecrets: () => held,
    // As the server has it.
    scanner: workerScanner(),
    basePaths: () => Array.from({ length: FILES }, (_, index) => pathOf(index)),
  });
  const onAll = (judged: readonly Judged[], bytes: number): BenchGroup["cases"] => [
    { name: "reference: SHA-256", bytes, run: () => judged.forEach(hashAll) },
    ...rules.flatMap((rule) => {
      const shown = judged.filter(({ kind }) => rule.applies.includes(kind));
      if (shown.length === 0) return [];
      return [{ name: rule.name, bytes, run: () => Promise.all(shown.map(async (one) => rule.check(one, run))) }];
    }),
  ];
  const paths = ["src/a.ts", "compose.yml", "package.json", "package-lock.json", "yarn.lock", "requirements.txt", "Cargo.toml"];
  const texts = hostile.flatMap((text) => [...paths.map((path) => write(path, text)), comment(text)]);
  return [
    { name: `${texts.length} hostile texts of 64 KB`, cases: onAll(texts, texts.length * HOSTILE_BYTES) },
    ...Object.entries(contents).map(([name, contentOf]) => ({
      name: `a change set of ${FILES} files and 10 MB: ${name}`,
      cases: onAll([changeSetOf(contentOf)], FILES * FILE_BYTES),
    })),
  ];
}

function pathOf(index: number): string {
  return `src/part${index % 40}/file${index}.ts`;
}

function changeSetOf(contentOf: (index: number) => string): Commit {
  const sides = Array.from({ length: FILES }, (_, index) => {
    const after = Buffer.from(contentOf(index)).subarray(0, FILE_BYTES);
    return [pathOf(index), index % 2 === 0 ? { after } : { before: after.subarray(0, FILE_BYTES / 2), after }] as const;
  });
  return commit(Object.fromEntries(sides));
}

function hashAll(judged: Judged): void {
  const files = judged.kind === "workspace-write" ? [judged.after] : [...(changesOf(judged)?.blobs.values() ?? [])];
  const texts = textsOf(judged).map(({ text }) => Buffer.from(text));
  for (const one of [...files, ...texts]) if (one !== undefined) createHash("sha256").update(one).digest();
}

export const bench = () => measureGroups(gateGroups());
const slowest = (groups: Groups, isWanted: (name: string) => boolean): number | undefined => {
  const rows = Object.entries(groups).flatMap(([name, found]) => (isWanted(name) ? found.slice(1) : []));
  return rows.length === 0 ? undefined : Math.max(...rows.map(({ cpuMs }) => cpuMs));
};
export const targets: readonly Target<Groups>[] = [
  {
    name: `the slowest rule on all hostile texts of 64 KB, processor time`,
    unit: "ms",
    atMost: 1000,
    figure: (groups) => slowest(groups, (name) => name.includes("hostile")),
  },
  {
    name: `the slowest rule on ${FILES} files and 10 MB, processor time`,
    unit: "ms",
    atMost: 3000,
    figure: (groups) => slowest(groups, (name) => !name.includes("hostile")),
  },
];
