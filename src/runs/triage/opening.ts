import { errandOpening } from "../../agent/errand-opening.ts";
import type { Message } from "../../core/conversation.ts";
import { readGuidance } from "../guidance.ts";
import type { Desk } from "../phases/check-out.ts";
import type { RunContext } from "../run-context.ts";

const LONGEST_BODY = 20_000;
const LONGEST_LIST = 12_000;
/** Newest issues among which duplicates are looked for at once; the tools show more. */
const LISTED = 60;

/** Reads what the model is told of a new issue: its text, the labels that there are, and the newest other issues. */
export async function readTriageOpening(
  { request, reader, run }: RunContext,
  { desk, system }: { readonly desk: Pick<Desk, "base">; readonly system: string },
): Promise<readonly Message[]> {
  const { number } = request.thread;
  const [guidance, labels, { issues }] = await Promise.all([
    readGuidance(desk.base),
    reader.labels(),
    reader.issues({ state: "all", labels: [], limit: LISTED }),
  ]);
  const name = `issue #${number}`;
  const { login } = request.actor;
  const others = issues.filter((issue) => issue.number !== number);
  return errandOpening({
    runId: run.id,
    repository: request.repository,
    system,
    guidance,
    about: `${name} was just opened.`,
    pieces: [
      { origin: `${name} title`, author: login, trust: "thread", text: request.title, longest: 1000 },
      { origin: `${name} body`, author: login, trust: "thread", text: request.body, longest: LONGEST_BODY },
      {
        origin: "labels of the repository",
        trust: "thread",
        text: labels.map(({ name, description }) => `${name}: ${description}`).join("\n"),
        longest: LONGEST_LIST,
      },
      {
        origin: "newest other issues",
        trust: "thread",
        text: others.map((one) => `#${one.number} (${one.state}) ${one.title}`).join("\n"),
        longest: LONGEST_LIST,
      },
    ],
    task: `Look at ${name} for its author and the maintainers.`,
  });
}
