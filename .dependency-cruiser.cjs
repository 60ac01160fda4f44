// The room table of the architecture page: which folder of src/ may look into which.
// Every room may import core and text. A rule may be argued in docs/decisions/, not silenced here.
const rooms = {
  core: [],
  text: [],
  config: [],
  triggers: ["config"],
  model: ["config"],
  processes: [],
  workspace: ["config", "processes"],
  gate: ["config"],
  github: ["config"],
  extensions: ["config"],
  store: ["config"],
  tools: ["extensions", "workspace", "gate", "store", "graph"],
  agent: ["tools", "model", "extensions"],
  receipts: [],
  review: [],
  runs: ["store", "agent", "receipts", "review", "tools", "extensions", "gate", "github", "graph", "workspace", "config", "model"],
  graph: [],
  telemetry: ["runs", "gate", "model", "tools"],
  web: ["store"],
  testing: ["processes"],
};
const roots = ["^src/(app|cli|extension-stage|index|log|product|product-options|server|start-sallyport|testing)\\.ts$", "^src/commands/"];
const everyone = ["core", "text"];

const forbidden = Object.entries(rooms).map(([room, allowed]) => ({
  name: `room-${room}`,
  comment: `${room} may import ${["core", ...(room === "core" ? [] : ["text"]), ...allowed].join(", ")}`,
  severity: "error",
  from: { path: `^src/${room}/` },
  to: {
    path: "^src/",
    pathNot: [room, ...(room === "core" ? [] : room === "text" ? ["core"] : everyone), ...allowed].map((name) => `^src/${name}/`),
  },
}));

/** Packages (or node builtins) that only their owners may import. */
const owned = [
  ["octokit", "^(node_modules/)?(@octokit/|octokit|probot)", ["github", "triggers"]],
  ["openai", "^(node_modules/)?openai", ["model"]],
  ["child-process", "^(node:)?child_process$", ["processes", "workspace"]],
  ["script-engine", "^(node_modules/)?(quickjs-emscripten|@jitl/)", ["tools/script"]],
  ["actions-core", "^(node_modules/)?@actions/", []],
  ["database-driver", "^(node_modules/)?(pg|pg-boss|@electric-sql/pglite)(/|$)", ["store"]],
];
for (const [name, path, owners] of owned) {
  forbidden.push({
    name: `owner-${name}`,
    comment: `${name} belongs to ${[...owners, "the composition roots"].join(", ")}`,
    severity: "error",
    from: { path: "^src/", pathNot: [...owners.map((owner) => `^src/${owner}/`), ...roots, "^src/testing/"] },
    to: { path },
  });
}
forbidden.push(
  {
    name: "core-imports-nothing",
    severity: "error",
    from: { path: "^src/core/" },
    to: { pathNot: "^src/core/" },
  },
  {
    name: "mint-belongs-to-the-gate",
    comment: "a pass can only be made by the gate and handed out by a composition root",
    severity: "error",
    from: { path: "^src/", pathNot: ["^src/gate/", ...roots] },
    to: { path: "^src/gate/mint\\.ts$" },
  },
  {
    name: "nothing-imports-a-root",
    severity: "error",
    from: { path: "^src/", pathNot: roots },
    to: { path: roots },
  },
  {
    name: "nothing-imports-the-action",
    severity: "error",
    from: { path: "^src/" },
    to: { path: "^action/" },
  },
  {
    name: "packages-stand-alone",
    comment: "a package is of use without the product; only its tests, and the product's, know both",
    severity: "error",
    from: { path: "^packages/([^/]+)/" },
    to: { path: "^(src|action|test|packages)/", pathNot: "^packages/$1/" },
  },
  { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
  {
    name: "tests-are-not-imported",
    severity: "error",
    from: { path: "^src/" },
    to: { path: "^test/" },
  },
);

module.exports = {
  forbidden,
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^action/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
