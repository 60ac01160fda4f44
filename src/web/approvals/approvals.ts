import type { IncomingMessage } from "node:http";
import { storeApprovals } from "../../store/approvals.ts";
import { listOpenQuestions } from "../../store/open-questions.ts";
import { readRun } from "../../store/runs.ts";
import type { Database } from "../../store/sql.ts";
import type { Access } from "../access.ts";
import type { Answer } from "../answer.ts";
import { readDiff, type ReadBase } from "../changes/file-diff.ts";
import { cleanAll, cleanWith } from "../clean.ts";
import { html } from "../html.ts";
import { APPROVALS_PATH, layOut, layOutNotice, type NavLink } from "../layout.ts";
import { SIGN_IN_PATH, type Person, type SignInDoor } from "../sign-in/sign-in.ts";
import type { Viewer, Viewers } from "../sign-in/viewer.ts";
import { renderQuestion, renderQuestions } from "./approvals-page.ts";

/** Who answers: by the rule that holds for comments, where it is a person of GitHub. */
export interface AnswersPort {
  whyNot(approval: string, who: Person | "operator"): Promise<string | undefined>;
  answer(
    approval: string,
    kind: "approved" | "denied",
    who: Person | "operator",
  ): Promise<{ readonly status: "answered" } | { readonly status: "refused" | "unanswerable"; readonly why: string }>;
}

export interface ApprovalsOptions {
  readonly database: Database;
  readonly answers: AnswersPort;
  readonly viewers: Viewers;
  readonly signIn?: SignInDoor;
  readonly readBase?: ReadBase;
  readonly mask: (text: string) => string;
  readonly links: readonly NavLink[];
  readonly now: () => number;
}

/** Questions on one page. */
const MOST_QUESTIONS = 100;
const ONE = /^\/sallyport\/approvals\/([a-z]{5}-[a-z]{5})$/;
/** Within this site a form's origin must be told, else it is `null`. */
const HEADERS = { "referrer-policy": "same-origin" } as const;

/**
 * The approvals: a list, one page each, and what people answer there. Whoever sees the dashboard sees all of them; somebody who is only
 * signed in sees those that they name and may answer. Undefined for every other path, and for whoever is nobody here.
 */
export type Approvals = (
  path: string,
  request: IncomingMessage,
  given: { readonly access: Access; readonly parameters: URLSearchParams },
) => Promise<Answer | undefined>;

export function createApprovals({ database, answers, viewers, signIn, readBase, mask, links, now }: ApprovalsOptions): Approvals {
  const clean = cleanWith(mask);
  const approvals = storeApprovals(database);

  async function showList(viewer: Viewer, parameters: URLSearchParams): Promise<Answer> {
    const asked = (parameters.get("id") ?? "").trim().toLowerCase().slice(0, 40);
    if (ONE.test(`${APPROVALS_PATH}/${asked}`)) return { status: 303, body: "", headers: { location: `${APPROVALS_PATH}/${asked}` } };
    const found = viewer.seesAll ? await listOpenQuestions(database, MOST_QUESTIONS + 1) : undefined;
    const questions = found === undefined ? undefined : cleanAll(found.slice(0, MOST_QUESTIONS), clean);
    const unknown = asked === "" ? {} : { unknown: clean(asked) };
    return {
      status: 200,
      body: renderQuestions(questions, { viewer, hasMore: (found?.length ?? 0) > MOST_QUESTIONS, now: now(), ...unknown }),
    };
  }

  async function show(id: string, viewer: Viewer, status = 200): Promise<Answer> {
    const stored = await approvals.byId(id);
    const run = stored === undefined ? undefined : await readRun(database, stored.run);
    if (stored === undefined || run === undefined) return NOTHING(viewer);
    const isOpen = stored.answer === undefined && stored.voided === undefined && stored.expires.getTime() > now();
    const mustAsk = viewer.answersAs !== undefined && (isOpen || !viewer.seesAll);
    const whyNot = mustAsk ? await answers.whyNot(id, viewer.answersAs) : undefined;
    // A repository's changes are not for everybody who has an account.
    if (!viewer.seesAll && whyNot !== undefined)
      return { status: 403, body: layOutNotice("Not yours to answer", whyNot.replaceAll("`", ""), { nav: false }) };
    const diff = await readDiff(
      { id: run.id, repositoryId: run.request.repository.id },
      { database, mask, ...(readBase === undefined ? {} : { readBase }) },
    );
    const about = cleanAll(run, clean);
    return { status, body: renderQuestion({ viewer, stored, about, diff, whyNot, clean, now: now() }) };
  }

  async function take(id: string, request: IncomingMessage, viewer: Viewer): Promise<Answer> {
    const form = await viewers.ownForm(request, viewer.answersAs, id);
    const kind = form?.get("answer");
    if (form === undefined || (kind !== "approved" && kind !== "denied")) return FORGED;
    if (viewer.answersAs === undefined) return { status: 403, body: layOutNotice("Who are you?", "Sign in to answer.", { nav: false }) };
    const answered = await answers.answer(id, kind, viewer.answersAs);
    if (answered.status === "answered") return { status: 303, body: "", headers: { location: `${APPROVALS_PATH}/${id}` } };
    const [status, title] = answered.status === "refused" ? [403, "Not yours to answer"] : [409, "This cannot be answered"];
    const back = html`<p>${answered.why.replaceAll("`", "")}</p>
      <p><a href="${APPROVALS_PATH}/${id}">Back to the question</a></p>`;
    return { status, body: layOut({ title, nav: viewer.seesAll, links, body: back }) };
  }

  async function signOut(request: IncomingMessage, person: Viewer["answersAs"]): Promise<Answer> {
    const form = await viewers.anyForm(request, person);
    if (signIn === undefined || form === undefined) return FORGED;
    return { status: 303, body: "", headers: { location: APPROVALS_PATH, "set-cookie": [signIn.forgotten] } };
  }

  return async (path, request, { access, parameters }) => {
    if (path !== APPROVALS_PATH && !path.startsWith(`${APPROVALS_PATH}/`)) return undefined;
    const [, id] = ONE.exec(path) ?? [];
    const viewer = viewers.of(request, access, id ?? "");
    if (viewer === undefined) return signIn === undefined || (access.ok ? false : access.status === 403) ? undefined : toSignIn(path);
    const answer = await respond(path, request, { id, viewer, parameters });
    return { ...answer, headers: { ...HEADERS, ...answer.headers } };
  };

  async function respond(
    path: string,
    request: IncomingMessage,
    { id, viewer, parameters }: { readonly id: string | undefined; readonly viewer: Viewer; readonly parameters: URLSearchParams },
  ): Promise<Answer> {
    if (path === `${APPROVALS_PATH}/sign-out` && request.method === "POST") return signOut(request, viewer.answersAs);
    if (id !== undefined && request.method === "POST") return take(id, request, viewer);
    if (request.method !== "GET" && request.method !== "HEAD")
      return {
        status: 405,
        body: layOutNotice("Only reading", "This page can only be read: send GET or HEAD.", { nav: false }),
        headers: { allow: id === undefined ? "GET, HEAD" : "GET, HEAD, POST" },
      };
    if (path === APPROVALS_PATH) return showList(viewer, parameters);
    return id === undefined ? NOTHING(viewer) : show(id, viewer);
  }
}

const NOTHING = ({ seesAll }: Viewer): Answer => ({
  status: 404,
  body: layOutNotice("Not found", "There is no such approval.", { nav: seesAll }),
});
const FORGED: Answer = {
  status: 403,
  body: layOutNotice(
    "Nothing was answered",
    "This did not come from a page of this dashboard, or the page was too old. Load the question again.",
    { nav: false },
  ),
};

function toSignIn(path: string): Answer {
  const to = ONE.test(path) ? path : APPROVALS_PATH;
  return { status: 303, body: "", headers: { location: `${SIGN_IN_PATH}?to=${to}` } };
}
