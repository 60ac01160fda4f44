import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTree } from "../../../src/workspace/clean.ts";
import { temporaryFolder } from "./git-host.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

test.each([
  ["folders without permissions", "mkdir -p a/b; touch a/b/c; chmod 000 a/b a"],
  [
    "a path longer than a system call takes",
    "i=0; while [ $i -lt 60 ]; do n=$(printf '%0200d' $i); mkdir $n; cd $n; i=$((i+1)); done; touch end",
  ],
  ["links, pipes and odd names", "ln -s / root; mkfifo pipe; touch -- -rf '* ' \"$(printf 'a\\nb')\""],
])("a workspace with %s is removed whole", async (name, script) => {
  const folder = join(temporary.path, name.slice(0, 8));
  mkdirSync(folder);
  execFileSync("bash", ["-c", script], { cwd: folder });
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
  expect(existsSync("/etc/passwd")).toBe(true);
});
