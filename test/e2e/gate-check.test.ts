import { describe, expect, test } from "vitest";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import type { CheckRun } from "../../src/testing/index.ts";
import { propose, pushTo, tell } from "./pull-requests.ts";
import { FILES, openStage, REPOSITORY, type Stage, type StageOptions } from "./stage.ts";

const WORKFLOW = { ".github/workflows/x.yml": "on: pull_request_target\njobs: {}\n" };
const HIDDEN = 'export const level = "user\u202e \u2066// admin\u2069 \u2066"\n';
const FIXED = { "src/sum.js": "export function sum(a, b) {\n  return a + b\n}\n" };

interface Wish extends Partial<Omit<StageOptions, "files">> {
  readonly configuration?: string;
  readonly files?: Readonly<Record<string, string>>;
}
/** A product without a model, in a repository that has the gate check everybody's pull requests. */
async function openGated({ configuration = "gate_check: true\nreview: false\n", files = {}, ...more }: Wish = {}): Promise<Stage> {
  return openStage({
    script: [],
    files: { ...FILES, [CONFIGURATION_FILE]: configuration, ...files },
    environment: { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined },
    ...more,
  });
}
const gateChecks = ({ github }: Stage, sha: string): readonly CheckRun[] =>
  github.checkRuns(REPOSITORY).filter(({ headSha, name }) => headSha === sha && name === "sallyport/gate");

describe("the gate's check", () => {
  test("judges a pull request without a model, and says how far it reaches", async () => {
    await using stage = await openGated();
    const pull = propose(stage, FIXED);
    await tell(stage, pull);
    const [check, ...others] = gateChecks(stage, pull.headSha);
    expect(check).toMatchObject({ status: "completed", conclusion: "success", output: { title: "The gate lets it through" } });
    expect(check?.output.summary).toMatch(/`sum` changed, `src\/sum\.js:1`: nothing else uses it; reached by 1 test/);
    expect(check?.output.summary).toContain("```mermaid\ngraph LR\n");
    expect(others).toEqual([]);
    expect(stage.comments(pull.number)).toEqual([]);
    expect(stage.model.requests).toEqual([]);
  });
});
