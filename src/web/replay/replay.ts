import type { IncomingMessage } from "node:http";
import { readRun } from "../../store/runs.ts";
import type { Executor } from "../../store/sql.ts";
import type { Access } from "../access.ts";
import type { Answer } from "../answer.ts";
import { cleanWith } from "../clean.ts";
import { layOutNotice } from "../layout.ts";
import type { Person } from "../sign-in/sign-in.ts";
import type { Viewer, Viewers } from "../sign-in/viewer.ts";
import { LONGEST_POLICY, renderReplay, type ReplayOutcome } from "./replay-page.ts";

/** Judges a recorded run once more; by the rule that holds for answers, it does so for people of GitHub and for the operator. */
export interface ReplayPort {
  whyNot(runId: string, who: Person | "operator"): Promise<string | undefined>;
  replay(runId: string, policy: string | undefined, who: Person | "operator"): Promise<ReplayOutcome>;
}

export interface ReplayDoorOptions {
  readonly database: Executor;
  readonly replays: ReplayPort;
  readonly viewers: Viewers;
  readonly mask: (text: string) => string;
}

const PATH = /^\/sallyport\/runs\/([0-9a-z]{26})\/replay$/;
/** Within this site a form's origin must be told, else it is `null`. */
const HEADERS = { "referrer-policy": "same-origin" } as const;
/** A form writes a character of a policy in nine bytes at most, a line end in six. */
const LARGEST_FORM = LONGEST_POLICY * 9 + 8 * 1024;

/** The page on which a run is replayed. Undefined for every other path, and for whoever is nobody here. */
export type ReplayDoor = (path: string, request: IncomingMessage, access: Access) => Promise<Answer | undefined>;

export function createReplayDoor({ database, replays, viewers, mask }: ReplayDoorOptions): ReplayDoor {
  const clean = cleanWith(mask);

  async function respond(run: string, request: IncomingMessage, viewer: Viewer): Promise<Answer> {
    const isAsked = request.method === "POST";
    if (!isAsked && request.method !== "GET" && request.method !== "HEAD")
      return { status: 405, body: layOutNotice("Not this way", "Send GET, HEAD or POST.", PLAIN), headers: { allow: "GET, HEAD, POST" } };
    const form = isAsked ? await viewers.ownForm(request, viewer.answersAs, formOfReplay(run), LARGEST_FORM) : undefined;
    if (isAsked && form === undefined) return FORGED;
    const { answersAs: who } = viewer;
    const whyNot = who === undefined ? undefined : await replays.whyNot(run, who);
    // A repository's changes are not for everybody who has an account.
    if (whyNot !== undefined && !viewer.seesAll) return { status: 403, body: layOutNotice("Not yours to see", whyNot, PLAIN) };
    const stored = await readRun(database, run);
    if (stored === undefined || (who === undefined && !viewer.seesAll))
      return { status: 404, body: layOutNotice("Not found", "There is no such run.", { nav: viewer.seesAll, links: viewer.links }) };
    const { repository, thread, title } = stored.request;
    const name = clean(`${repository.owner}/${repository.name}#${thread.number} ${title}`);
    const about = { viewer, run, name, whyNot, clean };
    if (form === undefined) return { status: 200, body: renderReplay({ ...about, policy: "" }) };
    if (who === undefined || whyNot !== undefined) return { status: 403, body: renderReplay({ ...about, policy: "" }) };
    const policy = (form.get("policy") ?? "").replaceAll("\r\n", "\n");
    if (policy.length > LONGEST_POLICY) return TOO_LARGE;
    const outcome = await replays.replay(run, policy.trim() === "" ? undefined : policy, who);
    return { status: statusOf(outcome), body: renderReplay({ ...about, policy: policy.trim() === "" ? "" : clean(policy), outcome }) };
  }

  return async (path, request, access) => {
    const [, run] = PATH.exec(path) ?? [];
    const viewer = run === undefined ? undefined : viewers.of(request, access, formOfReplay(run));
    if (run === undefined || viewer === undefined) return undefined;
    const answer = await respond(run, request, viewer);
    return { ...answer, headers: { ...HEADERS, ...answer.headers } };
  };
}

const PLAIN = { nav: false } as const;
const FORGED: Answer = {
  status: 403,
  body: layOutNotice(
    "Nothing was replayed",
    "This did not come from a page of this dashboard, the page was too old, or what it sent too large. Load the run's page again.",
    PLAIN,
  ),
};
const TOO_LARGE: Answer = {
  status: 413,
  body: layOutNotice("Too large", `A policy to try has at most ${LONGEST_POLICY} characters.`, PLAIN),
};

/** What a form that asks for a run's replay is for. */
export function formOfReplay(run: string): string {
  return `replay ${run}`;
}

function statusOf(outcome: ReplayOutcome): number {
  if (outcome.status === "replayed") return 200;
  if (outcome.status === "faulty") return 422;
  return outcome.again ? 503 : 409;
}
