import { describe, expect, test } from "vitest";
import { settingsOf } from "../../../../src/config/settings.ts";
import type { FileSettings } from "../../../../src/config/file-schema.ts";
import type { RunRequest } from "../../../../src/core/run.ts";
import { createReader } from "../../../../src/github/reader.ts";
import { whyNotAnswer, whyNotOfTeams } from "../../../../src/runs/acts/may-answer.ts";
import type { StoredApproval } from "../../../../src/store/approvals.ts";
import type { StoredRun } from "../../../../src/store/runs.ts";
import { fakeLedger, loopback, sessionOn, type Answer } from "../../github/loopback.ts";

type Approvals = NonNullable<NonNullable<FileSettings["gate"]>["approvals"]>;

interface Scene {
  readonly approvals: Approvals;
  /** Of whoever answers. */
  readonly role?: string;
  readonly codeOwners?: Readonly<Record<string, Given>>;
  /** Team to the answer about a membership in it. */
  readonly teams?: Readonly<Record<string, Given>>;
  readonly findings?: readonly unknown[];
  readonly operation?: string;
  /** Paths of the run's last snapshot. */
  readonly changed?: readonly string[];
  /** Paths that the question itself is about, which have no snapshot. */
  readonly judged?: readonly string[];
  readonly asks?: Partial<RunRequest>;
  readonly enabled?: "observe";
}

const repository = { id: 7, owner: "acme", name: "widgets", installationId: 1, isPrivate: false, defaultBranch: "main" };
const request = {
  trigger: "command",
  deliveryId: "d",
  repository,
  thread: { kind: "issue", number: 1 },
  actor: { id: 3, login: "Maria", isBot: false },
  source: { kind: "issue-comment", id: 1 },
  title: "",
  body: "",
  text: "",
} as const;
const asks = (path?: string) => ({ rule: "protected-paths", severity: "ask", ...(path === undefined ? {} : { where: { path } }) });
/** A text that is found, or another answer. */
type Given = string | Exclude<Answer, string>;

const NOT_FOUND: Exclude<Answer, string> = { status: 404, body: { message: "Not Found" } };

/** What is said to Maria, who wants to answer. */
async function whyNot(
  scene: Scene,
  only: "teams" | "all" = "all",
): Promise<{ readonly why: string | undefined; readonly lines: string[] }> {
  const { approvals, role = "maintain", codeOwners = {}, teams = {}, findings = [asks("src/sum.js")], operation = "commit" } = scene;
  await using server = await loopback(({ path }) => {
    if (path.endsWith("/permission")) return { status: 200, body: { permission: role, role_name: role, user: { id: 3, login: "Maria" } } };
    const [, file] = /contents\/([^?]+)/.exec(path) ?? [];
    if (file !== undefined) return answer(codeOwners[decodeURIComponent(file)], (text) => contents(text));
    const [, team] = /^\/orgs\/([^/]+\/teams\/[^/]+)\/memberships\/Maria$/.exec(path) ?? [];
    return answer(teams[team?.replace("/teams/", "/") ?? ""], (state) => ({ state, role: "member" }));
  });
  const session = sessionOn(server.baseUrl, fakeLedger());
  const context = {
    request: { ...request, ...scene.asks },
    session,
    reader: createReader(session, repository),
    settings: settingsOf([{ gate: { approvals }, ...(scene.enabled === undefined ? {} : { enabled: scene.enabled }) }]),
    database: { query: () => Promise.resolve(rows(scene)) } as never,
  };
  const about = { request } as unknown as StoredRun;
  const stored = { id: "kodim-pabuf", run: "r", findings, operation } as unknown as StoredApproval;
  const why = await (only === "teams" ? whyNotOfTeams(context) : whyNotAnswer(context, { about, stored }));
  return { why, lines: server.lines() };
}

const rows = ({ changed, judged }: Pick<Scene, "changed" | "judged">) => [
  ...(changed === undefined ? [] : [{ entry: { kind: "snapshot", turn: 1, entries: changed.map((path) => ({ path })) } }]),
  // Of an earlier question that nobody can answer any more.
  { entry: { kind: "asked", approval: "other", key: "judged", operation: {}, paths: [] } },
  ...(judged === undefined ? [] : [{ entry: { kind: "asked", approval: "kodim-pabuf", key: "judged", operation: {}, paths: judged } }]),
];
const answer = (given: Given | undefined, of: (text: string) => unknown): Answer =>
  given === undefined ? NOT_FOUND : typeof given === "string" ? { status: 200, body: of(given) } : given;
const contents = (text: string) => ({
  type: "file",
  encoding: "base64",
  size: text.length,
  sha: "a".repeat(40),
  content: Buffer.from(text).toString("base64"),
});

const TEAMS: Approvals = { teams: ["acme/core", "ops"] };
const OWNERS: Approvals = { code_owners: true };

describe("an answer", () => {
  test.each<[string, Partial<Scene>]>([
    ["of a bot, whatever it may do", { asks: { actor: { id: 3, login: "Maria", isBot: true } }, role: "admin" }],
    ["that an App wrote in somebody's name", { asks: { viaApp: true }, role: "admin" }],
  ])("%s is none, and carries no plan out", async (_, scene) => {
    for (const only of ["all", "teams"] as const) {
      const { why, lines } = await whyNot({ approvals: {}, ...scene }, only);
      expect(why).toContain("Only a person can answer this");
      expect(lines).toEqual([]);
    }
  });

  test("publishes nothing in a repository that is only observed by now", async () => {
    expect((await whyNot({ approvals: {}, enabled: "observe" })).why).toContain("only observed");
    expect((await whyNot({ approvals: {} })).why).toBeUndefined();
  });

  test("of an account that GitHub does not know there is none", async () => {
    expect((await whyNot({ approvals: {}, role: "none" })).why).toContain("one needs the permission");
  });
});

describe("an answer that is narrowed to teams", () => {
  test.each([
    ["is taken from a member of one", { "acme/ops": "active" }, undefined],
    ["is not taken from somebody who was only invited", { "acme/core": "pending" }, /must be a member of `acme\/core` or `ops`/],
    ["is not taken from others", {}, /must be a member of/],
  ])("%s", async (_, teams, why) => {
    const said = await whyNot({ approvals: TEAMS, teams });
    if (why === undefined) expect(said.why).toBeUndefined();
    else expect(said.why).toMatch(why);
  });

  test("still needs the permission, and asks for no team without", async () => {
    const { why, lines } = await whyNot({ approvals: TEAMS, role: "write", teams: { "acme/core": "active" } });
    expect(why).toContain("one needs the permission `maintain`");
    expect(lines.filter((line) => line.includes("/orgs/"))).toEqual([]);
  });

  test("is taken from nobody while the App may not read members, and says what it lacks", async () => {
    const forbidden: Given = { status: 403, body: { message: "Resource not accessible by integration" } };
    for (const only of ["teams", "all"] as const) {
      const { why } = await whyNot({ approvals: TEAMS, teams: { "acme/core": forbidden } }, only);
      expect(why).toContain("it lacks the organisation's permission `members: read`");
    }
  });

  test("counts for what stands for an approval, too", async () => {
    expect((await whyNot({ approvals: TEAMS }, "teams")).why).toContain("must be a member");
    expect((await whyNot({ approvals: TEAMS, teams: { "acme/core": "active" } }, "teams")).why).toBeUndefined();
    expect((await whyNot({ approvals: OWNERS }, "teams")).why).toBeUndefined();
  });
});

describe("an answer that is narrowed to code owners", () => {
  test.each<[string, Partial<Scene>, RegExp | undefined]>([
    ["is taken from who is named", { codeOwners: { CODEOWNERS: "/src/ @mARIA" } }, undefined],
    [
      "is taken from a member of a team that is named",
      { codeOwners: { CODEOWNERS: "/src/ @acme/core" }, teams: { "acme/core": "active" } },
      undefined,
    ],
    [
      "is not taken from others",
      { codeOwners: { CODEOWNERS: "* @maria\n/src/ @acme/core" } },
      /own `src\/sum\.js` by `CODEOWNERS`.*: `@acme\/core` may\./,
    ],
    ["is taken from nobody where nobody is named", { codeOwners: { CODEOWNERS: "* @maria\n/src/" } }, /nobody is named there/],
    ["does not look at addresses", { codeOwners: { CODEOWNERS: "* maria@example.com" } }, /E-mail addresses are not looked at/],
    ["names lines that cannot be read", { codeOwners: { CODEOWNERS: "!src @maria" } }, /count for nothing: 1\./],
    ["is taken from nobody without a file", {}, /has no CODEOWNERS file/],
    [
      "goes by the file in .github where there are several",
      { codeOwners: { ".github/CODEOWNERS": "* @bob", CODEOWNERS: "* @maria" } },
      /by `\.github\/CODEOWNERS`/,
    ],
    ["goes by the one in docs where there is no other", { codeOwners: { "docs/CODEOWNERS": "* @maria" } }, undefined],
    [
      "is taken from nobody where the file is too large",
      { codeOwners: { CODEOWNERS: { status: 200, body: { ...contents(""), encoding: "none", size: 4 * 1024 ** 2 } } } },
      /larger than 3 MB/,
    ],
    [
      "needs more than to read",
      { approvals: { code_owners: true, permission: "read" }, role: "read", codeOwners: { CODEOWNERS: "* @maria" } },
      /as a code owner, one needs the permission `write`/,
    ],
    ["asks for every file", { findings: [asks("src/a"), asks("lib/b")], codeOwners: { CODEOWNERS: "/src/ @maria" } }, /own `lib\/b`/],
    [
      "asks for all that changed where a finding names no file",
      { findings: [asks("src/a"), asks()], changed: ["lib/b"], codeOwners: { CODEOWNERS: "/src/ @maria" } },
      /own `lib\/b`/,
    ],
    [
      "asks for all of a pull request that is judged as it stands, where a finding names no file",
      { findings: [asks()], judged: ["src/a", "lib/b"], codeOwners: { CODEOWNERS: "/src/ @maria" } },
      /own `lib\/b`/,
    ],
    [
      "is taken from who owns all of such a pull request",
      { findings: [asks()], judged: ["src/a", "lib/b"], codeOwners: { CODEOWNERS: "* @maria" } },
      undefined,
    ],
    [
      "where it is not known any more which files it is about, is not taken from an owner of all",
      { findings: [asks()], codeOwners: { CODEOWNERS: "* @maria" } },
      /is not known any more: one needs the permission `admin`/,
    ],
    [
      "is taken there from who administers the repository",
      { approvals: { code_owners: true }, role: "admin", findings: [asks()], codeOwners: { CODEOWNERS: "* @bob" } },
      undefined,
    ],
    ["asks for no file where a comment is all that would be published", { findings: [asks()], operation: "comment" }, undefined],
  ])("%s", async (_, scene, why) => {
    const said = await whyNot({ approvals: OWNERS, ...scene });
    if (why === undefined) expect(said.why).toBeUndefined();
    else expect(said.why).toMatch(why);
  });
});
