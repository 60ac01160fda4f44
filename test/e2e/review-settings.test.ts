import { describe, expect, test } from "vitest";
import { say, type ModelRequest, type Script, type Turn } from "../../src/testing/index.ts";
import { checksOn, FRESH, post, propose, remarksOn, reviewsBy, tell, turnOf, type Said } from "./pull-requests.ts";
import { FILES, openStage, REPOSITORY, type Stage } from "./stage.ts";

const OVER = { timeout: 90_000 };
const CONFIG = ".github/sallyport.yml";
const open = (config: string, script: Script): Promise<Stage> => openStage({ script, files: { ...FILES, [CONFIG]: config } });
const isSecondLook = ({ system }: ModelRequest): boolean => system.includes("You check one remark");

/** A model that reviews with these remarks, and answers whoever asks it about one. */
function judging(comments: readonly object[], verdict: (remark: string) => Turn = () => say("STANDS")): Script {
  return (request) => {
    if (isSecondLook(request)) return verdict(request.text);
    return turnOf(request) > 0 ? say("Reviewed.") : post(comments as readonly Said[]);
  };
}
const at = (line: number, body: string, more: object = {}): object => ({ path: "src/fresh.js", line, body, ...more });

test("what matters too little, and what is beyond the most that is wanted, is left out and counted", OVER, async () => {
  const remarks = [
    at(1, "A nit.", { severity: "nit" }),
    at(2, "A minor one.", { severity: "minor", category: "naming" }),
    at(3, "One that nobody weighed."),
    at(4, "A critical one.", { severity: "critical", category: "security", evidence: "src/fresh.js:4 leaks it." }),
  ];
  await using stage = await open("review: { min_severity: minor, max_remarks: 2 }\n", judging(remarks));
  await tell(stage, propose(stage));
  expect(remarksOn(stage)).toEqual(["src/fresh.js:3: One that nobody weighed.", "src/fresh.js:4: **Critical** (security)"]);
  const [, critical] = stage.github.reviewComments(REPOSITORY);
  expect(critical?.body).toBe("**Critical** (security)\n\nA critical one.\n\nEvidence: src/fresh.js:4 leaks it.");
  expect(reviewsBy(stage)[0]?.body).toMatch(/^My summary\.\n\nLeft out: 1 remark below `minor`, 1 remark beyond the 2 that are wanted\./);
  expect(stage.model.requests.at(-1)?.results.at(-1)).toContain("Left out: 1 remark below `minor`");
});

describe("a second look", () => {
  const remarks = [at(1, "Right."), at(2, "Wrong."), at(3, "Right as well.")];
  const verdict = (text: string): Turn => say(text.includes("Wrong.") ? "REFUTED: line 2 is fine." : "STANDS");

  test("takes away what it refutes, by the model that is named for it, with the code at hand", OVER, async () => {
    await using stage = await open("review: { refute: true }\nmodels: { review_refute: small }\n", judging(remarks, verdict));
    const pull = propose(stage);
    await tell(stage, pull);
    expect(remarksOn(stage)).toEqual(["src/fresh.js:1: Right.", "src/fresh.js:3: Right as well."]);
    expect(reviewsBy(stage)[0]?.body).toContain("Left out: 1 remark that did not hold on a second look.");
    const looks = stage.model.requests.filter(isSecondLook);
    expect(looks.map(({ model, tools }) => [model, tools.length])).toEqual(Array.from({ length: 3 }, () => ["small", 0]));
    expect(looks[1]?.text).toMatch(/\+2 two[\s\S]*lines 1 to 5\n1 one\n2 two/);
    expect(stage.model.problems).toEqual([]);
  });

  test("that refutes all leaves a clean pull request, and no review", OVER, async () => {
    await using stage = await open(
      "review: { refute: true }\n",
      judging(remarks, () => say("REFUTED: it is fine.")),
    );
    const pull = propose(stage);
    await tell(stage, pull);
    expect(reviewsBy(stage)).toEqual([]);
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "success", output: { title: "Reviewed: nothing to remark" } }]);
    expect(stage.model.requests.at(-1)?.results.at(-1)).toMatch(/^Nothing was posted\. Left out: 3 remarks that did not hold/);
  });

  test("that cannot be had takes nothing away", OVER, async () => {
    const refused = { status: 401, body: { error: { message: "no", code: "invalid_api_key" } } } as unknown as Turn;
    await using stage = await open(
      "review: { refute: true }\n",
      judging(remarks, () => refused),
    );
    await tell(stage, propose(stage));
    expect(remarksOn(stage)).toHaveLength(3);
  });

  test("is not taken unless somebody wants it", OVER, async () => {
    await using stage = await open("review: true\n", judging(remarks));
    await tell(stage, propose(stage));
    expect(stage.model.requests.filter(isSecondLook)).toEqual([]);
    expect(remarksOn(stage)).toHaveLength(3);
  });
});

test("a suggestion with which its file could not be read is plain code, with the reason", OVER, async () => {
  const remarks = [
    { path: "a.json", line: 2, body: "Three.", suggestion: '  "a": 3' },
    { path: "a.json", line: 3, body: "Four.", suggestion: '  "b": 4' },
  ];
  await using stage = await open("review: true\n", judging(remarks));
  await tell(stage, propose(stage, { "a.json": '{\n  "a": 1,\n  "b": 2\n}\n' }));
  const [broken, good] = stage.github.reviewComments(REPOSITORY).map(({ body }) => body);
  expect(broken).toBe(
    'Three.\n\nProposed (not offered as a suggestion, since the file would be no valid JSON with it):\n\n```\n  "a": 3\n```',
  );
  expect(good).toBe('Four.\n\n```suggestion\n  "b": 4\n```');
});

describe("suggestions that are to be tried", () => {
  const remarks = [
    at(1, "Good.", { suggestion: "ONE" }),
    at(2, "Breaks something.", { suggestion: "broken" }),
    at(3, "The same.", { suggestion: "three" }),
  ];
  const trying = (test: string): string => `review: { check_suggestions: true }\ncommands: { test: "${test}" }\n`;

  test("are, each alone, by the repository's tests: one with which they fail is plain code, and that is told", OVER, async () => {
    await using stage = await open(trying("! grep -q broken src/fresh.js && touch left-behind"), judging(remarks));
    const pull = propose(stage);
    await tell(stage, pull);
    const [good, broken, same] = stage.github.reviewComments(REPOSITORY).map(({ body }) => body);
    expect(good).toBe("Good.\n\n```suggestion\nONE\n```");
    expect(broken).toBe("Breaks something.\n\nProposed (not offered as a suggestion, since the tests fail with it):\n\n```\nbroken\n```");
    expect(same).toContain("since it is what stands there already");
    const told = "Suggestions: 2 of 2 tried by the tests; 1 with which they fail.";
    expect(stage.model.requests.at(-1)?.results.at(-1)).toContain(told);
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "success", output: { summary: expect.stringContaining(told) } }]);
  });

  test("are offered as they are where the tests do not pass without them, and that is told", OVER, async () => {
    await using stage = await open(trying("exit 3"), judging(remarks.slice(0, 2)));
    const pull = propose(stage);
    await tell(stage, pull);
    expect(stage.github.reviewComments(REPOSITORY).map(({ body }) => body.includes("```suggestion"))).toEqual([true, true]);
    expect(checksOn(stage, pull.headSha)).toMatchObject([
      { output: { summary: expect.stringContaining("Suggestions: 0 of 2 tried by the tests; `exit 3` does not pass without them.") } },
    ]);
  });
});

test("the most that is wanted counts over all portions in which a review is posted", OVER, async () => {
  const portions = [[at(1, "First."), at(2, "Second.")], [at(3, "Third."), at(4, "Fourth.")], [at(4, "Fifth.")]];
  await using stage = await open("review: { max_remarks: 3 }\n", (request) => {
    const portion = portions[turnOf(request)];
    return portion === undefined ? say("Reviewed.") : post(portion as readonly Said[]);
  });
  await tell(stage, propose(stage));
  expect(remarksOn(stage)).toEqual(["src/fresh.js:1: First.", "src/fresh.js:2: Second.", "src/fresh.js:3: Third."]);
  expect(reviewsBy(stage)).toHaveLength(2);
  expect(stage.model.requests.at(-1)?.results.at(-1)).toMatch(/^Nothing was posted\. Left out: 1 remark beyond the 3 that are wanted/);
});

test("with an opt-in label, a pull request is reviewed once it bears it", OVER, async () => {
  await using stage = await open("review: { label: review me }\n", judging([at(1, "Seen.")]));
  const pull = propose(stage);
  await tell(stage, pull);
  await tell(stage, pull, "labeled", { extra: { label: { name: "bug" } } });
  expect(stage.model.requests).toEqual([]);
  expect(checksOn(stage, pull.headSha)).toEqual([]);
  await tell(stage, pull, "labeled", { extra: { label: { name: "Review me" } } });
  expect(remarksOn(stage)).toEqual(["src/fresh.js:1: Seen."]);
});

test("only the paths that are wanted are read, and no more files than are wanted", OVER, async () => {
  await using stage = await open("review: { paths: ['src/**'], max_files: 1 }\n", () => say("Nothing."));
  const pull = propose(stage, { ...FRESH, "src/auth.js": "secretive\n", "lib/other.js": "elsewhere\n" });
  await tell(stage, pull);
  const text = stage.model.requests[0]?.text ?? "";
  expect(text).toContain("+1 secretive");
  expect(text).not.toMatch(/elsewhere|\+1 one/);
  const [check] = checksOn(stage, pull.headSha);
  expect(check?.conclusion).toBe("neutral");
  expect(check?.output?.text).toMatch(/Not read:\n- `src\/fresh\.js`[\s\S]*Not for reading:\n- `lib\/other\.js`: not among the paths/);
});

test("what maintainers say of paths reaches the review of files there, and of no others", OVER, async () => {
  const config = "language: German\ninstructions: { all: Be brief., paths: { 'src/**': Never use var., 'docs/**': Write plainly. } }\n";
  await using stage = await open(config, () => say("Nichts."));
  await tell(stage, propose(stage));
  const system = stage.model.requests[0]?.system ?? "";
  expect(system).toContain("Be brief.");
  expect(system).toContain("- src/**: Never use var.");
  expect(system).not.toContain("Write plainly.");
  expect(system).toContain("in this language: German");
});
