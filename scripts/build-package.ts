import { execFile } from "node:child_process";
import { chmod, cp, glob, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/*
 * Builds `dist/`, the package's JavaScript and declarations: Node strips no types from what lies in a `node_modules`. The folder has the shape of
 * `src/`, so whatever is found beside a module, or by its place, is found from there too. Types are checked by `npm run check`, and not again.
 * Usage: node scripts/build-package.ts [folder]
 */

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = resolve(root, process.argv[2] ?? "dist");

/** A relative import of a declaration, by the name of the source. */
const IMPORT = /((?:from|import\()\s*")(\.[^"]*)\.ts(")/g;

await rm(folder, { recursive: true, force: true });
const tsc = resolve(root, "node_modules/ts7/bin/tsc");
await promisify(execFile)(process.execPath, [tsc, "--project", "tsconfig.build.json", "--outDir", folder], { cwd: root }).catch(
  // The compiler says on its standard output what is wrong.
  (error: Error & { readonly stdout?: string }) => {
    throw new Error(error.stdout ?? error.message, { cause: error });
  },
);
await mkdir(resolve(folder, "store"), { recursive: true });
await cp(resolve(root, "src/store/prepared"), resolve(folder, "store/prepared"), { recursive: true });
await chmod(resolve(folder, "cli.js"), 0o755);
await keepPublicDeclarations(["index.d.ts", "testing.d.ts"]);

/** Of nine hundred declarations only those that a public entry leads to mean anything to others. What they import is named as it is shipped. */
async function keepPublicDeclarations(entries: readonly string[]): Promise<void> {
  const kept = new Set<string>();
  const follow = async (file: string): Promise<void> => {
    if (kept.has(file)) return;
    kept.add(file);
    const text = await readFile(file, "utf8");
    const imported = [...text.matchAll(IMPORT)].map(([, , path = ""]) => resolve(dirname(file), `${path}.d.ts`));
    await writeFile(file, text.replaceAll(IMPORT, "$1$2.js$3"));
    for (const next of imported) await follow(next);
  };
  for (const entry of entries) await follow(resolve(folder, entry));
  for await (const name of glob("**/*.d.ts", { cwd: folder })) if (!kept.has(resolve(folder, name))) await rm(resolve(folder, name));
}
