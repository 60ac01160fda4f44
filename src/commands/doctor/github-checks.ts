import { holdsPermission } from "./permission-level.ts";
import type { Environment } from "../../config/environment.ts";
import { SallyportError } from "../../core/errors.ts";
import { silent } from "../../core/log.ts";
import { createLedger } from "../../gate/mint.ts";
import { reading } from "../../github/answer.ts";
import { createGitHubApp, type GitHubApp } from "../../github/client.ts";
import type { Check, Outcome } from "./check.ts";

/** What the App must hold, and what it must never be given. Kept equal to the manifest by a test. */
export const NEEDED = {
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  actions: "read",
  metadata: "read",
} as const;
const NEVER = ["workflows", "administration", "secrets"] as const;
const EVENTS_MISSED = ["issue_comment", "issues", "pull_request", "pull_request_review", "pull_request_review_comment", "workflow_run"];

const TIME_LIMIT_MS = 10_000;
const MOST_SKEW_S = 60;
const DELIVERIES = 50;
/** One alone may be somebody's trial. */
const REPEATED = 2;
const SETTINGS = "the App's settings page (Settings, Developer settings, GitHub Apps, Edit)";

interface Asked {
  readonly app: { readonly slug?: string; readonly permissions: Readonly<Record<string, string>>; readonly events: readonly string[] };
  /** Seconds by which this machine's clock is ahead of GitHub's. */
  readonly skew: number | undefined;
}

/** What can be seen of the App through GitHub: that it answers, who it is, its clock, its permissions, and how deliveries fared. */
export function gitHubChecks(environment: Environment, now: () => number = Date.now): readonly Check[] {
  const github = createGitHubApp({
    baseUrl: environment.github.apiUrl,
    appId: environment.appId,
    privateKey: environment.privateKey,
    ledger: createLedger(),
    log: silent,
    timeLimitMs: TIME_LIMIT_MS,
    // The doctor asks once: what fails is told, not waited for.
    sleep: () => Promise.resolve(),
  });
  let asked: Promise<Asked> | undefined;
  const ask = (): Promise<Asked> => (asked ??= askForApp(github, now));
  const needsApp = (name: string, judge: (asked: Asked) => Outcome): Check => ({
    name,
    run: async () => {
      const answer = await ask().catch(() => undefined);
      return answer === undefined ? { status: "skipped", says: "GitHub has to take APP_ID and PRIVATE_KEY first" } : judge(answer);
    },
  });
  return [
    {
      name: "app",
      run: () => ask().then(({ app }) => ({ status: "ok", says: `GitHub knows the App ${app.slug ?? ""}`.trim() }), appFault(environment)),
    },
    needsApp("clock", clockOutcome),
    needsApp("permissions", permissionsOutcome),
    {
      name: "deliveries",
      run: async () =>
        (await ask().then(
          () => true,
          () => false,
        ))
          ? deliveriesOutcome(github)
          : { status: "skipped", says: "GitHub has to take APP_ID and PRIVATE_KEY first" },
    },
  ];
}

async function askForApp({ octokit }: GitHubApp, now: () => number): Promise<Asked> {
  const { data, headers } = await reading("read the App's own identity", () => octokit.rest.apps.getAuthenticated());
  const date = Date.parse(headers.date ?? "");
  const skew = Number.isNaN(date) ? undefined : Math.round((now() - date) / 1000);
  const { slug, permissions = {}, events = [] } = data ?? {};
  return { app: { ...(slug === undefined ? {} : { slug }), permissions: permissions as Record<string, string>, events }, skew };
}

const appFault =
  ({ github }: Environment) =>
  (error: unknown): Outcome => {
    if (!(error instanceof SallyportError)) throw error;
    if (error.code === "bad-credentials") {
      return {
        status: "failed",
        says: "APP_ID and PRIVATE_KEY do not belong together: GitHub refused them",
        advice: [
          `Compare both with ${SETTINGS}; GHE_HOST must name the GitHub that the App lives on.`,
          "A clock that is minutes off has the same effect.",
        ],
      };
    }
    return {
      status: "failed",
      says: `${github.apiUrl} does not answer as GitHub does: ${error.message}`,
      advice: ["GHE_HOST and GHE_PROTOCOL say where GitHub is; HTTPS_PROXY and NO_PROXY how it is reached."],
    };
  };

function clockOutcome({ skew }: Asked): Outcome {
  if (skew === undefined) return { status: "skipped", says: "GitHub's answer has no date" };
  const far = Math.abs(skew) > MOST_SKEW_S;
  const says = `this machine's clock is ${Math.abs(skew)} s ${skew < 0 ? "behind" : "ahead of"} GitHub's`;
  return far ? { status: "failed", says, advice: ["Let the machine keep its time (timedatectl set-ntp true)."] } : { status: "ok", says };
}

function permissionsOutcome({ app: { permissions, events } }: Asked): Outcome {
  const lacking = Object.entries(NEEDED).filter(([name, level]) => !holdsPermission(permissions[name], level));
  const tooMany = NEVER.filter((name) => permissions[name] !== undefined);
  const unheard = EVENTS_MISSED.filter((event) => !events.includes(event));
  const advice = [`Change it under "Permissions & events" on ${SETTINGS}; each installation must then accept the change.`];
  if (lacking.length > 0)
    return { status: "failed", says: `the App lacks ${lacking.map(([name, level]) => `${name}: ${level}`).join(", ")}`, advice };
  if (tooMany.length > 0) return { status: "warning", says: `the App holds ${tooMany.join(", ")}, which it must never use`, advice };
  if (unheard.length > 0) return { status: "warning", says: `the App hears nothing of ${unheard.join(", ")}`, advice };
  return { status: "ok", says: "the App holds what it needs, and no more" };
}

async function deliveriesOutcome({ octokit }: GitHubApp): Promise<Outcome> {
  const read = () => octokit.rest.apps.listWebhookDeliveries({ per_page: DELIVERIES });
  const listed = await reading("list the App's deliveries", read).catch(() => undefined);
  if (listed === undefined || !Array.isArray(listed.data)) return { status: "skipped", says: "GitHub does not list the App's deliveries" };
  const codes = listed.data.map((delivery) => delivery.status_code);
  const refused = codes.filter((code) => code === 401 || code === 400).length;
  if (refused >= REPEATED) {
    return {
      status: "failed",
      says: `WEBHOOK_SECRET is not what GitHub signs with: ${refused} of the last ${codes.length} deliveries were answered 400 or 401`,
      advice: [`It is the "Webhook secret" on ${SETTINGS}; while it is changed, give the new and the old, separated by a comma.`],
    };
  }
  const failed = codes.filter((code) => code === 0 || code >= 400).length;
  if (codes.length === 0) return { status: "ok", says: "nothing was delivered yet" };
  if (failed === codes.length)
    return {
      status: "warning",
      says: `none of the last ${codes.length} deliveries arrived`,
      advice: [`Compare the "Webhook URL" on ${SETTINGS} with the address of this server; the path is that of WEBHOOK_PATH.`],
    };
  return { status: "ok", says: `${codes.length - failed} of the last ${codes.length} deliveries arrived` };
}
