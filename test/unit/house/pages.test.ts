import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { STATE_WORDS } from "../../../src/core/words.ts";
import { readLayer } from "../../../src/config/read-layer.ts";
import { MIGRATIONS } from "../../../src/store/migrations.ts";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const inFolder = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}${name}`);
const CORPUS = "packages/write-path-corpus/README.md";
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  CORPUS,
  "packages/write-path-corpus/SOURCES.md",
  ...inFolder("docs/"),
  ...inFolder("docs/decisions/"),
];

/** What GitHub makes of a heading as the target of a link. */
const anchorsOf = (page: string): string[] =>
  [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
const withoutCode = (page: string): string => page.replaceAll(/^ *```[^]*?^ *```$/gm, "");
const blocks = (page: string, language: string): string[] =>
  [...read(page).matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^\\1\`\`\`$`, "gm"))].map(([, , text = ""]) => text);

describe("the pages", () => {
  test.each([...PAGES, "examples/extension-template/README.md"])(
    "%s: each link leads to a file, and to a heading where it names one",
    (page) => {
      const here = new URL(page, ROOT);
      for (const [, link = ""] of withoutCode(read(page)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? here : new URL(path, here);
        expect(existsSync(target), link).toBe(true);
        if (anchor !== undefined) expect(anchorsOf(readFileSync(target, "utf8")), link).toContain(anchor);
      }
    },
  );

  it("are all in the list of pages", () => {
    const list = read("docs/README.md");
    const missing = inFolder("docs/").filter((page) => page !== "docs/README.md" && !list.includes(`](${page.slice("docs/".length)})`));
    expect(missing).toEqual([]);
  });

  it("show a language with each block that is to be run or read by a machine", () => {
    const languages = PAGES.flatMap((page) => [...read(page).matchAll(/^ *```(\w+)$/gm)].map(([, language = ""]) => language));
    expect([...new Set(languages)].toSorted()).toEqual(["js", "sh", "ts", "yaml"]);
  });
});

const SERVER_ONLY = ["docs/sandbox.md", "docs/extensions.md", "docs/mcp.md"];
const yaml = PAGES.flatMap((page) => blocks(page, "yaml").map((text) => ({ page, text }))).filter(({ text }) => !text.includes("uses:"));

test.each(yaml)("$page: its example is a configuration without faults:\n$text", ({ page, text }) => {
  const reading = readLayer(text, SERVER_ONLY.includes(page) || page.startsWith("docs/extension-") ? "server" : "repository");
  expect(reading, JSON.stringify(reading)).toMatchObject({ status: "good" });
});

test.each(blocks("docs/scripts-and-research.md", "js"))("a script is one that parses:\n%s", (script) => {
  const checked = spawnSync(process.execPath, ["--check", "--input-type=module"], {
    input: `await (async () => {\n${script}\n})();`,
    encoding: "utf8",
  });
  expect(checked, checked.stderr).toMatchObject({ status: 0 });
});

const workflows = PAGES.flatMap((page) => blocks(page, "yaml").map((text) => ({ page, text }))).filter(({ text }) =>
  text.includes("uses:"),
);

test.each(workflows)("$page: its example of a workflow parses, and gives the Action only what it takes:\n$text", ({ text }) => {
  const { inputs } = parse(read("action/action.yml")) as { inputs: Record<string, unknown> };
  const steps = stepsIn(parse(text, { logLevel: "error" }));
  const ours = steps.filter(({ uses }) => /^(?:\.\/action|[\w-]+\/sallyport)/.test(uses));
  expect(steps.length).toBeGreaterThan(0);
  for (const { with: given = {} } of ours) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
});

interface Step {
  readonly uses: string;
  readonly with?: Record<string, unknown>;
}
function stepsIn(value: unknown): Step[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(stepsIn);
  return "uses" in value && typeof value.uses === "string" ? [value as Step, ...inner] : inner;
}

test("the corpus's example of an adapter compiles", () => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-page-"));
  try {
    const [example = ""] = blocks(CORPUS, "ts");
    const types = new URL("packages/write-path-corpus/src/index.ts", ROOT).pathname;
    writeFileSync(join(folder, "adapter.ts"), example.replace('"write-path-corpus"', JSON.stringify(types)));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const config = {
      extends: new URL("tsconfig.json", ROOT).pathname,
      compilerOptions: { typeRoots: [new URL("node_modules/@types", ROOT).pathname], noUnusedParameters: false },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...config, include: ["adapter.ts"], exclude: [] }));
    const tsc = new URL("node_modules/ts7/bin/tsc", ROOT).pathname;
    const { status, stdout } = spawnSync(process.execPath, [tsc, "--project", folder, "--noEmit"], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Shell lines of the pages, without comments, as words. */
const lines = PAGES.flatMap((page) =>
  blocks(page, "sh").flatMap((block) =>
    block
      .split("\n")
      .map((line) => line.replace(/\s+#.*$/, "").trim())
      .filter((line) => line !== "")
      .map((line) => ({ page, line })),
  ),
);
const HELP = new Map<string, string>();
function helpOf(command: string): string {
  const known = HELP.get(command);
  if (known !== undefined) return known;
  const { stdout, status } = spawnSync(process.execPath, [new URL("src/cli.ts", ROOT).pathname, "help", command], { encoding: "utf8" });
  const text = status === 0 ? stdout : "";
  HELP.set(command, text);
  return text;
}

describe("the commands on the pages", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const asked = lines.flatMap(({ page, line }) => {
    const [, rest] = /(?:^|\| )(?:npm run --silent sallyport --|sallyport) (.+)$/.exec(line) ?? [];
    return rest === undefined ? [] : [{ page, rest }];
  });

  it("are found", () => {
    expect(asked.length).toBeGreaterThan(15);
  });

  test.each(asked)("$page: sallyport $rest is a command with these options", ({ rest }) => {
    const [command = ""] = rest.split(" ");
    const help = helpOf(command);
    expect(help, `there is no command ${command}`).not.toBe("");
    for (const [option] of rest.matchAll(/--[a-z]+/g)) expect(help).toMatch(new RegExp(`^  ${option}\\b`, "m"));
  });

  test.each(lines.filter(({ line }) => line.startsWith("npm")))("$page: $line is a script of this project", ({ line }) => {
    const [, script = ""] = /^npm (?:run )?(?:--silent )?([\w:]+)/.exec(line) ?? [];
    expect(["ci", ...Object.keys(scripts)]).toContain(script);
  });

  test.each(lines)("$page: $line is nothing but such a command, a variable or a tool that everybody has", ({ line }) => {
    // A module of this project can be run as well.
    const [, module] = /^node (\S+)/.exec(line) ?? [];
    if (module === undefined) expect(line).toMatch(/^(?:npm|sallyport|export|git|docker|openssl|gh) /);
    else expect(existsSync(new URL(module, ROOT)), module).toBe(true);
  });
});

describe("the page on the architecture", () => {
  const page = read("docs/architecture.md");
  const table = (heading: string): string[][] =>
    (page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );

  it("lists the rooms that there are, and lets each look where the room table does", () => {
    const { forbidden } = createRequire(import.meta.url)(new URL(".dependency-cruiser.cjs", ROOT).pathname) as {
      forbidden: { name: string; comment?: string }[];
    };
    const rooms = readdirSync(new URL("src/", ROOT), { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== "commands",
    );
    const allowed = rooms.map(({ name }) => {
      const words =
        forbidden
          .find((rule) => rule.name === `room-${name}`)
          ?.comment?.split(" may import ")[1]
          ?.split(", ") ?? [];
      return [name, words.filter((word) => !["core", "text"].includes(word) && rooms.some((room) => room.name === word)).toSorted()];
    });
    const shown = table("Rooms").map(([room = "", , may = ""]) => [
      room.replaceAll("`", ""),
      may
        .split(", ")
        .filter((word) => /^\w+$/.test(word) && word !== "nothing")
        .toSorted(),
    ]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(allowed));
  });

  it("lists the rows of a journal as their type does", () => {
    const kinds = new Set([...read("src/core/journal.ts").matchAll(/readonly kind: "([\w-]+)"/g)].map(([, kind = ""]) => kind));
    const shown = table("The journal").flatMap(([row = ""]) => [...row.matchAll(/`([\w-]+)`/g)].map(([, kind = ""]) => kind));
    expect(shown.toSorted()).toEqual([...kinds].toSorted());
  });

  it("names files that exist", () => {
    const named = [...page.matchAll(/`((?:src\/)?[\w-]+\/[\w/-]*(?:\.ts)?)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(20);
    const isThere = (path: string): boolean =>
      ["", "src/"].some((room) => ["", ".ts"].some((end) => existsSync(new URL(room + path + end, ROOT))));
    for (const path of named) expect(isThere(path), path).toBe(true);
  });
});

it("the page on privacy names every table that data is kept in", () => {
  const page = read("docs/privacy.md");
  const tables = MIGRATIONS.flatMap((sql) => [...sql.matchAll(/create table sallyport\.(\w+)/g)].map(([, name = ""]) => name));
  expect(tables.length).toBeGreaterThan(8);
  for (const name of tables) expect(page, name).toContain(`\`${name}\``);
});

it("the page on security names every rule of the gate", () => {
  const page = read("docs/security.md");
  const rules = [...read("src/gate/report/rule-texts.ts").matchAll(/^ {2}"?([\w-]+)"?: "/gm)].map(([, name = ""]) => name);
  expect(rules.length).toBeGreaterThan(15);
  for (const name of rules.filter((one) => one !== "gate")) expect(page, name).toContain(`\`${name}\``);
});

it("the page on how a run works names every end as a comment tells it", () => {
  const page = read("docs/how-a-run-works.md");
  const { queued: _, working: __, ...ends } = STATE_WORDS;
  for (const words of Object.values(ends)) expect(page).toContain(`**${words}**`);
});
