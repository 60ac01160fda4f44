import type { Audit } from "./audit.ts";
import { auditSteps } from "./step-audits.ts";
import { placesAt, textsAt } from "./yaml-file.ts";
import type { YamlPlace } from "./yaml-file.ts";

/** Events that run with the repository's secrets on what a stranger wrote. Source: https://docs.github.com/actions/reference/security/secure-use */
const PRIVILEGED = ["pull_request_target", "workflow_run", "issue_comment", "issues", "discussion", "discussion_comment"];
const WRITES = ["contents", "packages", "actions", "id-token", "deployments", "security-events", "attestations", "pages"];

/**
 * What is dangerous in a workflow or a composite action, by the security guide of GitHub Actions: triggers that mix strangers' code with
 * secrets, text of strangers in scripts, actions that can change under their name, rights that are wider than needed.
 */
export function auditWorkflow(places: readonly YamlPlace[]): readonly Audit[] {
  const triggers = triggersOf(places);
  const names = new Set(triggers.map(({ name }) => name));
  const isPrivileged = PRIVILEGED.some((name) => names.has(name));
  return [
    ...triggers
      .filter(({ name }) => name === "pull_request_target" || name === "workflow_run")
      .map(({ name, line }) =>
        warn(
          line,
          `${name} runs with this repository's secrets on what a stranger proposes`,
          "Use pull_request, unless no code of the proposal is ever run.",
        ),
      ),
    ...auditSteps(places, { isPrivileged, isRelease: names.has("release") || names.has("registry_package") }),
    ...auditPermissions(places),
    ...auditJobs(places, names),
  ];
}

function triggersOf(places: readonly YamlPlace[]): readonly { readonly name: string; readonly line: number }[] {
  // `on` is a word for true in YAML 1.1, and stays itself in 1.2; both are taken.
  return ["on", "true"].flatMap((key) => [
    ...textsAt(places, [key]).map(({ value, line }) => ({ name: value, line })),
    ...textsAt(places, [key, "*"])
      .filter(({ keys }) => typeof keys[1] === "number")
      .map(({ value, line }) => ({ name: value, line })),
    ...placesAt(places, [key, "*"])
      .filter(({ keys }) => typeof keys[1] === "string")
      .map(({ keys, line }) => ({ name: String(keys[1]), line })),
  ]);
}

function auditPermissions(places: readonly YamlPlace[]): readonly Audit[] {
  const all = [...textsAt(places, ["permissions"]), ...textsAt(places, ["jobs", "*", "permissions"])]
    .filter(({ value }) => value === "write-all")
    .map(({ line }) => block(line, "it gives its token every right there is", "Name the rights that the job needs."));
  const some = [...textsAt(places, ["permissions", "*"]), ...textsAt(places, ["jobs", "*", "permissions", "*"])]
    .filter(({ value, keys }) => value === "write" && WRITES.includes(String(keys.at(-1))))
    .map(({ keys, line }) => warn(line, `its token may write ${String(keys.at(-1))}`, "Check that the job needs this right."));
  return [...all, ...some];
}

function auditJobs(places: readonly YamlPlace[], triggers: ReadonlySet<string>): readonly Audit[] {
  const isOpen = ["pull_request", "pull_request_target", "issue_comment", "workflow_run"].some((name) => triggers.has(name));
  const runners = [...textsAt(places, ["jobs", "*", "runs-on"]), ...textsAt(places, ["jobs", "*", "runs-on", "*"])];
  const conditions = [...textsAt(places, ["jobs", "*", "if"]), ...textsAt(places, ["jobs", "*", "steps", "*", "if"])];
  const calls = textsAt(places, ["jobs", "*", "uses"]);
  return [
    ...runners
      .filter(({ value }) => isOpen && /self-hosted/.test(value))
      .map(({ line }) =>
        block(line, "strangers' pull requests would run on a machine of your own", "Use a hosted runner for what strangers can start."),
      ),
    ...conditions
      .filter(({ value }) => /github\.actor\s*==\s*['"][^'"]*\[bot\]/.test(value))
      .map(({ line }) =>
        warn(
          line,
          "it trusts whoever acted last by a bot's name, which a stranger can bring about",
          "Compare github.event.pull_request.user.login.",
        ),
      ),
    ...textsAt(places, ["jobs", "*", "secrets"])
      .filter(({ value }) => value === "inherit")
      .map(({ line }) => warn(line, "it hands every secret to the workflow that it calls", "Name the secrets that it needs.")),
    ...calls
      .filter(({ value }) => !value.startsWith("./") && !/@[0-9a-f]{40}$/.test(value))
      .map(({ line }) => warn(line, "it calls a workflow that can change under its name", "Name the workflow by its commit.")),
    ...[
      ...textsAt(places, ["env", "*"]),
      ...textsAt(places, ["jobs", "*", "env", "*"]),
      ...textsAt(places, ["jobs", "*", "steps", "*", "env", "*"]),
    ]
      .filter(({ keys, value }) => keys.at(-1) === "ACTIONS_ALLOW_UNSECURE_COMMANDS" && value !== "false")
      .map(({ line }) => block(line, "it lets whatever a step prints set variables of later steps", "Leave this switch off.")),
  ];
}

function block(line: number, why: string, fix: string): Audit {
  return { severity: "block", line, why, fix };
}

function warn(line: number, why: string, fix: string): Audit {
  return { severity: "warn", line, why, fix };
}
