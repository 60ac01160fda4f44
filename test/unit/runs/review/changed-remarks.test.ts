import { describe, expect, test } from "vitest";
import { settingsOf } from "../../../../src/config/settings.ts";
import { silent } from "../../../../src/core/log.ts";
import type { RunRequest } from "../../../../src/core/run.ts";
import type { DiffFile } from "../../../../src/review/diff/diff-file.ts";
import { changedRemarks } from "../../../../src/runs/review/changed-remarks.ts";
import type { Reading } from "../../../../src/runs/review/reading.ts";
import { embedded } from "../../github/embedded.ts";
import { added, diffFile } from "../../review/files.ts";

const REPOSITORY = "acme/widgets";
const PATH = "src/half.js";
const ROWS = ["export function half(n) {", "  if (n < 0) return 0", "  return n / 3", "}"];
const MENDED = ROWS.with(2, "  return n / 2");
type GitHub = Awaited<ReturnType<typeof embedded>>["github"];

/** The remark on the third line, and `between` what happens before the file is `now`; which remarks a later review is asked about. */
async function asked({
  now = { [PATH]: MENDED },
  between = () => undefined,
  files = [],
  ignore = [],
  line = {},
}: {
  readonly now?: Readonly<Record<string, readonly string[]>>;
  readonly between?: (github: GitHub, root: number) => unknown;
  readonly files?: readonly DiffFile[];
  readonly ignore?: string[];
  readonly line?: object;
}) {
  const { github, session } = await embedded();
  github.push(REPOSITORY, "topic", { [PATH]: `${ROWS.join("\n")}\n` });
  github.openPull(REPOSITORY, { title: "A feature", user: "alice", head: "topic" });
  const { id } = github.addReviewComment(REPOSITORY, 1, {
    user: github.botLogin,
    body: "A third is no half.",
    path: PATH,
    line: 3,
    ...line,
  });
  between(github, id);
  const read = (path: string) => {
    const rows = now[path];
    return Promise.resolve(
      rows === undefined
        ? { status: "missing", near: [] }
        : { status: "file", path, bytes: Buffer.from(`${rows.join("\n")}\n`), executable: false },
    );
  };
  const context = {
    session,
    request: {
      repository: { id: 1, owner: "acme", name: "widgets" },
      thread: { kind: "pull-request", number: 1 },
    } as unknown as RunRequest,
    settings: settingsOf([{ review: { enabled: true, ignore } }]),
    log: silent,
  };
  const reading = { files, plan: { parts: [], skipped: [], left: [], files: 0 } } as Reading;
  return (await changedRemarks(context, { workspace: { read } as never, reading })).map(({ was, now: place, isGone }) => ({
    was,
    place,
    isGone,
  }));
}
const replied = (body: string, user = "alice") => ({
  between: (github: GitHub, inReplyTo: number) => github.addReviewComment(REPOSITORY, 1, { user, body, path: PATH, line: 3, inReplyTo }),
});

describe("a review is asked about an earlier remark", () => {
  test("whose line is another one now, with its place as it is", async () => {
    expect(await asked({ now: { [PATH]: ["// moved", ...MENDED] } })).toEqual([
      { was: ["  return n / 3"], place: expect.stringMatching(/^1 \/\/ moved\n[\s\S]*\n4 {3}return n \/ 2\n5 }/), isGone: false },
    ]);
  });

  test("one of whose lines is another one now", async () => {
    const [one] = await asked({ line: { startLine: 2, startSide: "RIGHT" }, now: { [PATH]: ROWS.with(1, "  if (n <= 0) return 0") } });
    expect(one?.was).toEqual(["  if (n < 0) return 0", "  return n / 3"]);
  });

  test("whose file is gone", async () => {
    expect(await asked({ now: {} })).toMatchObject([{ isGone: true }]);
  });

  test.each(["Good catch, fixed in 1a2b3c4.", "Done", "@sallyport thanks, addressed", "👍"])(
    "below which somebody says: %s",
    async (body) => {
      expect(await asked(replied(body))).toHaveLength(1);
    },
  );

  test("below which the bot itself had the last word", async () => {
    expect(await asked(replied("Why I think so: a third is less.", "sallyport[bot]"))).toHaveLength(1);
  });
});

describe("a review is not asked about one", () => {
  test.each([
    ["whose lines are there, however deep and ended", { now: { [PATH]: ROWS.map((row) => `  ${row}\r`) } }],
    ["whose lines have moved", { now: { [PATH]: ["// moved", ...ROWS] } }],
    ["whose file got another name", { now: { "lib/half.js": ROWS }, files: [diffFile("lib/half.js", added(ROWS))] }],
    ["below which somebody objects", replied("That is on purpose, the spec says a third.")],
    ["below which somebody asks", replied("Fixed now?")],
    ["below which somebody agrees and objects", replied("Right, but the spec says so.")],
    ["below which somebody says more than that", replied(`Done. ${"And there is something else to say. ".repeat(6)}`)],
    ["that was told to be ignored", replied("@sallyport ignore")],
    [
      "that got a thumbs-down",
      {
        between: (github: GitHub, targetId: number) =>
          github.addReaction(REPOSITORY, { target: "review-comment", targetId, content: "-1", user: "alice" }),
      },
    ],
    ["that somebody has resolved", { between: (github: GitHub, root: number) => github.resolveThread(REPOSITORY, root) }],
    ["on lines that the change took away", { line: { side: "LEFT" } }],
    ["on a whole file", { line: { subject: "file", line: null } }],
    ["of somebody else", { line: { user: "maria" } }],
    ["in a file that is kept out of reviews", { ignore: ["src/**"] }],
    [
      "of which GitHub does not tell",
      { between: (github: GitHub) => github.fault({ match: /\/graphql/, respond: { status: 404, body: {} } }) },
    ],
  ])("%s", async (_, more) => {
    expect(await asked(more)).toEqual([]);
  });
});
