import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTools } from "../../../src/tools/registry.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { locateRipgrep } from "../../../src/workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "../../../src/workspace/search/ripgrep.ts";
import { temporaryFolder } from "../workspace/git-host.ts";
import { type Opened, openTestWorkspace } from "../workspace/opened.ts";
import { answerOf, contextFor } from "./folder-workspace.ts";

const ODD_NAMES = [
  "with blank.txt",
  `it's "quoted".txt`,
  "[id].tsx",
  "-dash.txt",
  "star*.txt",
  ":(top)x.txt",
  "日本語/ファイル.txt",
  "emoji 🍎.txt",
  "%41.txt",
  "#hash?.txt",
  "a/b..c/x.txt",
];
const TREE = {
  ".gitignore": "build\n*.log\n",
  ".gitattributes": "*.bat text eol=crlf\n*.ident ident\n",
  "a.txt": "alpha\nsecond\nthird\n",
  "build/tracked.sh": "alpha\n",
  "crlf.txt": "x\r\ny\r\n",
  "docs/u\u0308ber.md": "eins\n",
  "latin1.txt": Buffer.from("caf\xe9 = 1\nna\xefve = 2\n", "latin1"),
  "long.txt": `${"0123456789abcdef\n".repeat(20_000)}needle\n`,
  "run.sh": { mode: "100755", bytes: "#!/bin/sh\necho one\n" },
  link: { mode: "120000", bytes: "run.sh" },
  "v.ident": "$Id$\none\n",
  "w.bat": "echo one\necho two\n",
  ...Object.fromEntries(ODD_NAMES.map((name) => [name, "one\n"])),
} as const;

const folder = temporaryFolder();
/** Test trees are written with raw paths. */
const raw = (name: string) => Buffer.from(name).toString("latin1");
const search = ripgrepSearch({ binary: (await locateRipgrep("")) ?? "ripgrep is not installed" });
const tools = new Map<string, Tool>(createTools({ sandbox: false, search }).map((tool) => [tool.name, tool]));
let opened: Opened;

beforeAll(async () => {
  opened = await openTestWorkspace(folder.path, Object.fromEntries(Object.entries(TREE).map(([name, file]) => [raw(name), file])));
});
afterAll(() => opened[Symbol.asyncDispose]());

async function call(name: string, args: object): Promise<string> {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return answerOf(tool, args, contextFor({ workspace: opened.workspace }));
}
const edit = (path: string, old_string: string, new_string: string) => call("edit_file", { path, old_string, new_string });

/** What differs from the commit: path, mode and the end of the bytes. */
async function changes(): Promise<readonly (readonly string[])[]> {
  const { changes, blobs } = await opened.workspace.changeSet();
  return changes.map(({ path, after }) => {
    if (after === undefined) return [path, "gone"];
    return [
      path,
      after.mode,
      Buffer.from(blobs.get(after.sha) ?? [])
        .toString("latin1")
        .slice(-24),
    ];
  });
}

/** One story over one checkout: each step stands on the one before. */
describe("the tools over a real checkout", () => {
  it("list, find and search what the repository tracks", async () => {
    const top = Object.keys(TREE).map((name) => (name.includes("/") ? `${name.split("/")[0]}/` : name));
    expect((await call("list_files", { depth: 1 })).split("\n").toSorted()).toEqual(
      [...new Set(top)].map((name) => (name === "link" ? "link (a link, not followed)" : name)).toSorted(),
    );
    expect(await call("list_files", { path: "build" })).toBe("build/tracked.sh");
    expect(await call("list_files", {})).toMatch(/\nlink \(a link, not followed\)\n/);
    expect(await call("find_files", { pattern: "*.sh" })).toBe("build/tracked.sh\nrun.sh");
    expect(await call("grep", { pattern: "alpha" })).toBe("a.txt\n1:alpha\n\nbuild/tracked.sh\n1:alpha");
    expect(await call("grep", { pattern: "eins", path: "docs/\u00fcber.md" })).toBe("docs/u\u0308ber.md\n1:eins");
  });

  it("say what cannot be opened", async () => {
    expect(await call("read_file", { path: "link" })).toMatch(/^\[error\] "link" is a link/);
    expect(await call("read_file", { path: "a.tyt" })).toMatch(/^\[error\] There is no file a\.tyt\. Did you mean a\.txt/);
    expect(await call("write_file", { path: "a.txt/b", content: "" })).toMatch(/^\[error\] .*a\.txt/);
    expect(await call("edit_file", { path: "link", old_string: "one", new_string: "two" })).toMatch(
      /^\[blocked\] containment: "link" is a link/,
    );
    expect(await call("list_files", { path: "nowhere" })).toMatch(/^\[error\] There is no folder nowhere\./);
    expect(await changes()).toEqual([]);
  });

  it("edit exactly the bytes that are named, whatever the attributes say", async () => {
    await edit("latin1.txt", " = 2", " = 3");
    await edit("long.txt", "needle", "pin");
    await edit("crlf.txt", "x\ny", "x\nz");
    await edit("w.bat", "one", "ONE");
    await edit("v.ident", "one", "two");
    await edit("run.sh", "one", "two");
    expect(await changes()).toEqual([
      ["crlf.txt", "100644", "x\r\nz\r\n"],
      ["latin1.txt", "100644", "caf\xe9 = 1\nna\xefve = 3\n"],
      ["long.txt", "100644", "ef\n0123456789abcdef\npin\n"],
      ["run.sh", "100755", "#!/bin/sh\necho two\n"],
      ["v.ident", "100644", "$Id$\ntwo\n"],
      ["w.bat", "100644", "echo ONE\necho two\n"],
    ]);
  });

  it("move with the mode, delete, and make no double of a name in another Unicode form", async () => {
    expect(await call("move_file", { from: "run.sh", to: "bin/run it.sh" })).toBe("Moved run.sh to bin/run it.sh.");
    expect(await call("delete_file", { path: "w.bat" })).toBe("Deleted w.bat.");
    await call("write_file", { path: "docs/\u00fcber.md", content: "zwei\n" });
    const changed = await changes();
    expect(changed).toContainEqual(["bin/run it.sh", "100755", "#!/bin/sh\necho two\n"]);
    expect(changed).toContainEqual(["run.sh", "gone"]);
    expect(changed).toContainEqual(["w.bat", "gone"]);
    expect(changed).toContainEqual(["docs/u\u0308ber.md", "100644", "zwei\n"]);
    expect(changed.filter(([path]) => path?.startsWith("docs/"))).toHaveLength(1);
  });

  it.each(ODD_NAMES)("read, edit and move %s", async (name) => {
    expect(await call("read_file", { path: name })).toBe("one\n");
    await edit(name, "one", "two");
    expect(await call("grep", { pattern: "two", path: name })).toMatch(/\n1:two$/);
    expect(await call("move_file", { from: name, to: `moved/${name}` })).toMatch(/^Moved /);
    const changed = await changes();
    expect(changed).toContainEqual([name, "gone"]);
    expect(changed).toContainEqual([`moved/${name}`, "100644", "two\n"]);
  });

  it("show in git's words what was changed", async () => {
    const diff = await call("git_diff", { path: "v.ident" });
    expect(diff).toContain("-one\n+two\n");
    expect(await call("git_show", { rev: "HEAD", path: "a.txt" })).toContain("alpha\nsecond\nthird\n");
    expect(await call("git_log", { limit: 5 })).toMatch(/commit|change/);
    expect(await call("git_show", { rev: "nothing" })).toMatch(/^\[error\] ./);
  });
});
