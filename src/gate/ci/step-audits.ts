import type { Audit } from "./audit.ts";
import { textsAt } from "./yaml-file.ts";
import type { YamlPlace } from "./yaml-file.ts";

export interface StepContext {
  /** The workflow runs with secrets on what strangers can start. */
  readonly isPrivileged: boolean;
  /** It publishes: what it builds must not come from a cache that others fill. */
  readonly isRelease: boolean;
}

/** Longest expression that is looked at; a longer one is cut, not skipped. */
const EXPRESSION = /\$\{\{([^}]{0,1000})/g;
/** Texts that whoever opens an issue or pushes a branch chooses. Source: GitHub's guide on script injections, and the webhooks' payloads. */
const STRANGERS_TEXT =
  /github\s*(?:\.\s*head_ref|\[\s*['"]head_ref|\.\s*event\s*\.\s*(?:(?:issue|discussion|comment|review|review_comment)\b[\s\S]{0,40}?\b(?:title|body)|pull_request\b[\s\S]{0,40}?\b(?:title|body|ref|label|default_branch|full_name)|pages\b|commits\b|head_commit\b[\s\S]{0,40}?\b(?:message|name|email)|workflow_run\b[\s\S]{0,60}?\b(?:head_branch|display_title|message|name|email)|label\b[\s\S]{0,10}\bname|client_payload\b)|\.\s*event\s*\[)/;
const INPUTS = /(?:^|[^.\w])(?:github\s*\.\s*event\s*\.\s*)?inputs\s*[.[]/;
const STRANGERS_CODE =
  /github\s*\.\s*(?:head_ref|event\s*\.\s*(?:pull_request\s*\.\s*(?:head|number|merge_commit_sha)|workflow_run\s*\.\s*head|issue\s*\.\s*number))|refs\/pull\//;
const PIPE_TO_SHELL =
  /\b(?:curl|wget|iwr|Invoke-WebRequest|fetch)\b[^|;&\n]{0,300}(?:\||>\()\s{0,4}(?:sudo\s{1,4})?(?:-\w{1,5}\s{1,4})?(?:ba|z|da|k)?sh\b|\b(?:ba)?sh\b[^|;&\n]{0,40}(?:<\(|\$\()\s{0,4}(?:curl|wget)\b|\b(?:iex|Invoke-Expression)\b|\b(?:curl|wget)\b[^|;&\n]{0,300}\|\s{0,4}(?:python\d?|node|perl|ruby)\b/i;
const SENDS_AWAY =
  /(?:\benv\b|\bprintenv\b|\bset\b|\$\{?\w*(?:TOKEN|SECRET|KEY)\w*\}?)[^\n]{0,200}\|[^\n]{0,100}\b(?:curl|wget|nc|ncat)\b|\b(?:curl|wget)\b[^\n]{0,300}(?:\$\{?\w*(?:TOKEN|SECRET)\w*\}?|\$\(\s{0,4}(?:env|printenv))/;
const SETS_ENVIRONMENT = /\$\{?GITHUB_(?:ENV|PATH)\b/;
/** Of these the owners keep their names; what is pinned by a tag of theirs is GitHub's own word. */
const GITHUBS_OWN = /^(?:actions|github)\//;
const STEPS = [
  ["jobs", "*", "steps", "*"],
  ["runs", "steps", "*"],
];

/** The steps of jobs and of composite actions. */
export function auditSteps(places: readonly YamlPlace[], context: StepContext): readonly Audit[] {
  return STEPS.flatMap((step) => [
    ...textsAt(places, [...step, "run"]).flatMap((place) => [...auditExpressions(place), ...auditScript(place, context)]),
    ...textsAt(places, [...step, "with", "script"]).flatMap(auditExpressions),
    ...textsAt(places, [...step, "uses"]).flatMap((place) => auditUses(place)),
    ...textsAt(places, [...step, "with", "ref"])
      .filter(({ value }) => context.isPrivileged && STRANGERS_CODE.test(value))
      .map(({ line }) =>
        block(
          line,
          "it checks out what a stranger proposes while it holds this repository's secrets",
          "Use pull_request for whatever runs code of a proposal.",
        ),
      ),
    ...textsAt(places, [...step, "uses"])
      .filter(({ value }) => context.isRelease && /^actions\/cache(?:\/restore)?@/.test(value))
      .map(({ line }) =>
        warn(line, "it publishes what it builds from a cache that other branches fill", "Build releases without a cache."),
      ),
    ...[...textsAt(places, [...step, "env", "*"]), ...textsAt(places, [...step, "with", "*"]), ...textsAt(places, [...step, "run"])]
      .filter(({ value }) => /toJSON\s*\(\s*secrets\s*\)/i.test(value))
      .map(({ line }) => block(line, "it hands every secret to one step", "Name the secrets that it needs.")),
  ]);
}

function auditExpressions({ value, line }: { readonly value: string; readonly line: number }): readonly Audit[] {
  const expressions = [...value.matchAll(EXPRESSION)].map(([, expression = ""]) => expression);
  if (expressions.some((expression) => STRANGERS_TEXT.test(expression))) {
    return [
      block(
        line,
        "a script is put together from text that strangers choose, so they choose what it runs",
        "Hand the text over in env and quote the variable.",
      ),
    ];
  }
  if (expressions.some((expression) => INPUTS.test(expression))) {
    return [warn(line, "a script is put together from an input", "Hand the input over in env and quote the variable.")];
  }
  return [];
}

function auditScript({ value, line }: { readonly value: string; readonly line: number }, { isPrivileged }: StepContext): readonly Audit[] {
  const audits: Audit[] = [];
  if (SENDS_AWAY.test(value)) audits.push(block(line, "a script sends its environment somewhere", "Leave it out."));
  if (PIPE_TO_SHELL.test(value)) {
    audits.push(
      warn(line, "a script runs what it has just fetched, whatever that is by then", "Fetch a version that is known, and check its hash."),
    );
  }
  if (isPrivileged && SETS_ENVIRONMENT.test(value)) {
    audits.push(warn(line, "a script sets variables of later steps while strangers can start it", "Use a step's output instead."));
  }
  return audits;
}

function auditUses({ value, line }: { readonly value: string; readonly line: number }): readonly Audit[] {
  if (value.startsWith("./") || GITHUBS_OWN.test(value)) return [];
  if (value.startsWith("docker://")) {
    return /@sha256:[0-9a-f]{64}$/.test(value)
      ? []
      : [warn(line, "it runs an image that can change under its name", "Name the image by its digest.")];
  }
  return /@[0-9a-f]{40}$/.test(value)
    ? []
    : [warn(line, "it runs an action that can change under its name", "Name the action by its commit.")];
}

function block(line: number, why: string, fix: string): Audit {
  return { severity: "block", line, why, fix };
}

function warn(line: number, why: string, fix: string): Audit {
  return { severity: "warn", line, why, fix };
}
