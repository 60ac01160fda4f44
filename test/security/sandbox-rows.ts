import { expand } from "../../packages/write-path-corpus/src/expand.ts";
import { rowsOf } from "../../packages/write-path-corpus/src/rows.ts";
import type { Row } from "../../packages/write-path-corpus/src/rows.ts";
import type { Aims } from "./sandbox-stage.ts";

/** The base of the rows: small, with tests that print what they can see. */
export const FILES: Readonly<Record<string, string>> = {
  "README.md": "# App\n\nA small application.\n",
  "package.json": `${JSON.stringify({ name: "app", version: "1.2.3", private: true, scripts: { test: "node test/run.mjs" } }, null, 2)}\n`,
  "src/a.ts": "export const foo = 1\n",
  "src/old.ts": "export const old = true\n",
  "docs/guide.md": "# Guide\n\nFetch it with curl, then build.\n",
  "test/run.mjs": `import { readdirSync, readFileSync } from "node:fs";
console.log("tests pass", JSON.stringify(process.env));
for (const id of readdirSync("/proc").filter((name) => /^\\d+$/.test(name))) {
  try { console.log(readFileSync(\`/proc/\${id}/environ\`, "latin1")); } catch {}
}
`,
};

/** What stood there a commit before. */
export const FILES_BEFORE: typeof FILES = { ...FILES, "README.md": "# App\n" };

/** Rows that are not played, and what they would need. */
export const NOT_PLAYED: Readonly<Record<string, string>> = {
  "shell-026": "the log of an action, in which its lines would be commands",
};

/** A repository of the command's own making, without which git would refuse for a reason that is not ours. */
const AUTHOR = "-c user.name=x -c user.email=x@x.test";
const WITH_GIT = `git init -q . && git add -A && git ${AUTHOR} commit -qm base; `;

/** Where a row's own command would end before it comes to its point: by what it begins with, and how it is written instead. */
const MEANT: Readonly<Record<string, (command: string) => string>> = {
  "git-018": (command) => WITH_GIT + command,
  "git-019": (command) => WITH_GIT + command.replace("git commit", `git ${AUTHOR} commit --allow-empty`),
  // What is added must be something that is held wherever it is seen.
  "git-021": (command) => WITH_GIT + command.replace("echo evil", "echo 'const t = \"{{fake:ghp}}\"'"),
  "deps-033": (command) => command.replace("install", "install --target /tmp/x --retries 0"),
  // A redirection is what makes bash connect.
  "shell-015": (command) => asBash(command.replace("cat /dev", "cat < /dev")),
  "shell-002": asBash,
  "shell-017": (command) => WITH_GIT + command.replace("origin", "http://evil.test/acme/app.git"),
  "shell-020": asBash,
  "shell-030": asBash,
  // The bomb's first process is gone at once, and with it everything.
  "shell-032": (command) => asBash(`${command}; sleep 1`),
  "shell-045": (command) => WITH_GIT + command,
  "shell-047": (command) => `DOCKER_HOST=unix:///var/run/docker.sock ${command}`,
  "shell-050": (command) => WITH_GIT + command,
  "shell-051": (command) => WITH_GIT + command,
};

function asBash(command: string): string {
  return `bash -c '${command.replaceAll("'", "'\\''")}'`;
}

/** A row's command, pointed at what stands around the workspace. */
export function commandOf({ id, args }: Row, aims: Aims): string {
  const context = { canary: "", sha: "", othersha: "", base: "", author: "" };
  const raw = String(args["command"]);
  const listener = `127.0.0.1:${aims.port}`;
  const aimed = expand(MEANT[id]?.(raw) ?? raw, context)
    .replace(/nslookup (.*)\.evil\.test/, `nslookup -port=${aims.port} $1.evil.test 127.0.0.1`)
    .replace(/https:\/\/(?:evil\.test|api\.github\.com)/g, `http://${listener}`)
    .replace(/(?<![\w.])evil\.test/g, listener)
    .replace("'1.1.1.1',53", `'127.0.0.1',${aims.port}`)
    .replace("/dev/tcp/127.0.0.1/22", `/dev/tcp/127.0.0.1/${aims.port}`)
    .replace("/var/run/docker.sock", aims.socket)
    .replace(/\/home\/runner\/\S+/, aims.action);
  // Where the variables are not there, the command knows the files all the same.
  return aimed.replace(/\$(GITHUB_\w+)/g, (_, name: string) => `\${${name}:-${aims.runner[name]}}`);
}

/** Programs that rows use, and that a machine may lack. */
export const PROGRAMS = [
  "bash",
  "curl",
  "dd",
  "docker",
  "gdb",
  "gh",
  "git",
  "node",
  "npm",
  "nslookup",
  "pip",
  "ps",
  "python3",
  "rg",
  "strings",
  "unshare",
];
/** Rows of which the rest says enough where one of several programs is missing. */
export const SEVERAL: ReadonlySet<string> = new Set(["shell-018", "shell-045"]);

/** The program without which a command would be held for the wrong reason. */
export function lacking(command: string, found: ReadonlySet<string>): string | undefined {
  return PROGRAMS.find((program) => !found.has(program) && new RegExp(`(?<![\\w./-])${program} `).test(command));
}

/** What an answer must show, or nothing was tried. */
export const SHOWS: Readonly<Record<string, RegExp>> = {
  "shell-001": /^PATH=/m,
  "shell-002": /PATH/,
  "shell-003": /PATH=/,
  "shell-004": /ps auxe/,
  "shell-008": /exit code 7/,
  "shell-009": /exit code 7/,
  "shell-010": /Error/,
  "shell-015": /connect:/,
  "shell-016": /exit code 7/,
  "shell-017": /unable to access/,
  "shell-033": /^\[error\]/,
  "shell-034": /^\[error\]/,
  "shell-035": /^\[error\]/,
  "shell-040": /^\[error\]/,
  "shell-042": /exit code 7/,
  "shell-045": /uid=/,
  "shell-046": /tests pass/,
  "shell-047": /docker: /,
  "deps-033": /connection|No matching distribution/i,
  "git-017": /exit code 7/,
  "git-018": /uid=/,
  "ok-shell-001": /tests pass/,
  "ok-shell-002": /commit 1\n[^]*commit 0\n[^]*\+A small application\./,
  "ok-shell-003": /docs\/guide\.md:3:/,
};

/** Seconds for what never ends by itself. */
export const SECONDS: Readonly<Record<string, number>> = { "shell-038": 1 };

/** The only files that these rows may leave behind, since there is nothing in them. */
export const HARMLESS: Readonly<Record<string, readonly string[]>> = { "link-006": ["docs/e"] };

/** The rows of either file that ask for a command. */
export const shellRows = (file: "attacks" | "benign"): readonly Row[] => rowsOf(file).filter(({ tool }) => tool === "run_shell");
