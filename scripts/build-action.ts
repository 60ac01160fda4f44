import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import { GRAMMARS } from "../src/graph/parse/grammars.ts";

/*
 * Builds `action/dist/`: what GitHub's runner starts as it is. The same sources and the same lockfile give the same bytes.
 * Usage: node scripts/build-action.ts [folder]
 */

const root = new URL("../", import.meta.url);
const folder = new URL(`${process.argv[2] ?? "action/dist"}/`, new URL(root));
const path = (relative: string): string => fileURLToPath(new URL(relative, root));

/** The one that is beside the bundle would be whoever's lies in the workspace: the runner's own, or the scan, are used. */
const withoutRipgrepPackage: Plugin = {
  name: "without-ripgrep-package",
  resolveId: (id) => (id === "@vscode/ripgrep" ? "\0no-ripgrep" : undefined),
  load: (id) => (id === "\0no-ripgrep" ? 'throw new Error("There is no ripgrep in the bundle.");\nexport const rgPath = "";\n' : undefined),
};

/** What a package's own files are required for is bundled instead, as a chunk that loads when a file first needs it. */
const withTypeScriptInside: Plugin = {
  name: "with-typescript-inside",
  load: (id) =>
    id === path("src/graph/parse/load-typescript.ts")
      ? 'export const loadTypeScript = () => import("typescript").then((module) => module.default);\n'
      : undefined,
};

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });

const bundle = await rolldown({
  cwd: fileURLToPath(root),
  // The threads are started by the name of their file, beside whatever starts them.
  input: {
    index: path("action/main.ts"),
    "scan-worker": path("src/gate/secrets/scan-worker.ts"),
    "isolate-worker": path("src/tools/script/isolate-worker.ts"),
  },
  platform: "node",
  tsconfig: false,
  // The parser of TypeScript asks where it lies.
  transform: { define: { __filename: "import.meta.filename", __dirname: "import.meta.dirname" } },
  plugins: [withoutRipgrepPackage, withTypeScriptInside],
  logLevel: "warn",
});
await bundle.write({
  dir: fileURLToPath(folder),
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  minify: true,
  // Names of errors and of functions are shown to people.
  keepNames: true,
  comments: { legal: false },
});
await bundle.close();
await copyFile(fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm")), new URL("emscripten-module.wasm", folder));
await copyParsers();
// Wherever the folder is copied to, its files are modules.
await writeFile(new URL("package.json", folder), `${JSON.stringify({ type: "module", private: true }, null, 2)}\n`);
process.stdout.write(`${(await readdir(folder)).toSorted().join("\n")}\n`);

/**
 * The parsers of the code graph, which are loaded by the name of their package: what lies nearest is taken, so no workspace can bring its own.
 * Only the grammars that are used are copied, and none is read before a file asks for it.
 */
async function copyParsers(): Promise<void> {
  const name = "@vscode/tree-sitter-wasm";
  const from = new URL("./", pathToFileURL(createRequire(import.meta.url).resolve(name)));
  const to = new URL(`node_modules/${name}/`, folder);
  await mkdir(new URL("wasm/", to), { recursive: true });
  const grammars = [...new Set(Object.values(GRAMMARS))].map((grammar) => `tree-sitter-${grammar}.wasm`);
  for (const file of ["tree-sitter.js", "tree-sitter.wasm", ...grammars]) await copyFile(new URL(file, from), new URL(`wasm/${file}`, to));
  await writeFile(new URL("package.json", to), `${JSON.stringify({ name, main: "./wasm/tree-sitter.js" }, null, 2)}\n`);
}
