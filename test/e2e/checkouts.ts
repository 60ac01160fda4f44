import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FILES } from "./stage.ts";

/** What git is given of the environment. */
export const GIT = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", PATH: process.env["PATH"] ?? "" };
/** Contents by path; null deletes. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

export function put(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    rmSync(join(folder, path), { recursive: true, force: true });
    if (content === null) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A room in the temporary folder in which checkouts can be made. */
export function checkouts() {
  const room = mkdtempSync(join(tmpdir(), "sallyport-checkouts-"));
  /** A checkout with one commit, and one more for each further list of files. */
  function checkout(...versions: readonly Files[]) {
    const root = mkdtempSync(join(room, "repo-"));
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.test", ...args], {
        cwd: root,
        env: GIT,
        maxBuffer: 1 << 28,
      }).toString();
    git("init", "-q", "-b", "main");
    const commit = (files: Files): void => {
      put(root, files);
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", "change");
    };
    for (const version of [FILES, ...versions]) commit(version);
    return { root, git, commit };
  }
  return { room, checkout, remove: () => rmSync(room, { recursive: true, force: true }) };
}
