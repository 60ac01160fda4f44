import { SallyportError, messageOf } from "../core/errors.ts";
import type { Comment, WorkspaceWrite } from "../core/operation.ts";
import type { RunView } from "../core/run.ts";
import type { Judged } from "./judged.ts";
import type { GateRule } from "./rule.ts";

/** A rule does not find what it is there for: no run may start behind such a gate. */
class DeadRuleError extends SallyportError {}

/** The run of the test: nobody's. */
const RUN: RunView = { id: "self-test", repository: { owner: "self-test", name: "self-test" }, trigger: "mention" };
/** Milliseconds for all rules; what is not done by then is not at work. */
const DEADLINE_MS = 10_000;

const write = (path: string, text: string): WorkspaceWrite => ({ kind: "workspace-write", path, after: Buffer.from(text) });
const comment = (body: string): Comment => ({
  kind: "comment",
  repository: { id: 0, owner: "self-test", name: "self-test" },
  thread: { kind: "issue", number: 1 },
  body,
});

/** For each built-in rule something that it must hold. Secrets are put together, so that no file of ours holds one. */
export const KNOWN_BAD: Readonly<Record<string, (held: string) => Judged>> = {
  containment: () => write("../outside", "x"),
  "git-internals": () => write(".gitmodules", "x"),
  "file-names": () => write("src/\u202ename", "x"),
  operations: () => comment("This run is not at work, so nothing of it may leave."),
  size: () => comment("a zero byte: \0"),
  "protected-paths": () => write(".github/workflows/ci.yml", "on: push"),
  "ci-files": () => write("compose.yml", "services: {a: {privileged: true}}"),
  dumps: () => write("core", "# v2 git bundle\n"),
  unicode: () => write("a.ts", "x = '\u202e'"),
  "lifecycle-scripts": () => write("package.json", '{"scripts":{"postinstall":"x"}}'),
  "vendored-code": () => write("vendor/example.com/a/a.go", "package a"),
  manifests: () => write("package.json", '{"name":"a","name":"b"}'),
  registries: () => write("package.json", '{"dependencies":{"a":"https://a.invalid/a.tgz"}}'),
  lockfiles: () =>
    write(
      "package-lock.json",
      '{"packages":{"node_modules/a":{"version":"1.0.0","resolved":"https://registry.npmjs.org/b/-/b-1.0.0.tgz"}}}',
    ),
  dependencies: () => write("package.json", '{"dependencies":{"lodahs":"1.0.0"}}'),
  vulnerabilities: () => write("package.json", '{"dependencies":{"self-test":"1.0.0"}}'),
  "held-secrets": (held) => comment(held),
  output: () => comment("ping @self-test-maintainer"),
  secrets: () => comment(["ghp", "Zq7Rk2Lw9Tt4Vb6Nm1Hs8Jd3Fg5Pc0YxQe1Ua"].join("_")),
};

/**
 * Shows each rule one thing that it must hold, with the rules' own sources. Rules of extensions, and the one about held secrets where none is
 * held, have nothing to be shown.
 * @throws {DeadRuleError} naming every rule that let its own pass, threw, or did not answer.
 */
export async function selfTest(rules: readonly GateRule[], heldSecrets: () => readonly string[]): Promise<void> {
  const held = heldSecrets().find(isPlainlySecret);
  const dead = await Promise.all(rules.map((rule) => whyDead(rule, held)));
  const reasons = dead.filter((reason) => reason !== undefined);
  if (reasons.length === 0) return;
  throw new DeadRuleError(`The gate's self-test failed: ${reasons.join("; ")}.`, {
    code: "dead-gate-rule",
    hint: "Nothing is judged by a gate that does not work: reinstall, or undo the last change to it.",
  });
}

/** Whether a value looks random enough that the rule must know it: a webhook secret may be a word, or the alphabet. */
function isPlainlySecret(value: string): boolean {
  return /^[A-Za-z0-9_-]{20,200}$/.test(value) && new Set(value.toLowerCase()).size >= 12 && !value.includes("eyJ") && !isOrdered(value);
}

function isOrdered(value: string): boolean {
  let steps = 0;
  for (let index = 1; index < value.length; index++) {
    if (Math.abs(value.charCodeAt(index) - value.charCodeAt(index - 1)) <= 1) steps++;
  }
  return steps > value.length / 4 || /[-_].*[-_]/.test(value);
}

async function whyDead(rule: GateRule, held: string | undefined): Promise<string | undefined> {
  const bad = Object.hasOwn(KNOWN_BAD, rule.name) ? KNOWN_BAD[rule.name] : undefined;
  if (bad === undefined || (rule.name === "held-secrets" && held === undefined)) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS);
  });
  try {
    const findings = await Promise.race([(async () => rule.check(bad(held ?? ""), RUN))(), late]);
    const holds = Array.isArray(findings) && findings.some(({ severity }) => severity === "block" || severity === "ask");
    return holds ? undefined : `${rule.name} let through what it must hold`;
  } catch (error) {
    return `${rule.name} failed: ${messageOf(error)}`;
  } finally {
    clearTimeout(timer);
  }
}
