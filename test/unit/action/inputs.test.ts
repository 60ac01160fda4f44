import { describe, expect, test } from "vitest";
import { readInputs, requireModel, secretInputs } from "../../../action/inputs.ts";

const variables = (inputs: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries({ github_token: "ghs_x", ...inputs }).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));
const read = (inputs: Readonly<Record<string, string>> = {}) => readInputs(variables(inputs));

test("nothing but a token is needed, and empty inputs were not given", () => {
  expect(read({ prompt: " ", config: "", max_usd: "" })).toEqual({
    name: "sallyport",
    botLogin: "github-actions[bot]",
    token: "ghs_x",
    mode: "auto",
    models: [],
  });
});

test("all that is given is read", () => {
  const given = {
    name: "robo",
    bot_login: "robo-account",
    openai_api_key: "sk-1",
    openai_base_url: "https://models.example.com/v1/",
    model: "one, two,",
    mode: "Task",
    prompt: "Do it.\nThen rest.",
    config: "review: false",
    max_usd: "0.5",
    max_minutes: "10",
    graph_cache: "/runner/temp/graph",
  };
  expect(read(given)).toEqual({
    name: "robo",
    botLogin: "robo-account",
    token: "ghs_x",
    apiKey: "sk-1",
    baseUrl: "https://models.example.com/v1",
    models: ["one", "two"],
    mode: "task",
    prompt: "Do it.\nThen rest.",
    config: "review: false",
    maxUsd: 0.5,
    maxMinutes: 10,
    graphCache: "/runner/temp/graph",
  });
});

describe("an error names the input", () => {
  test.for([
    ["github_token", { github_token: "" }, /is missing/],
    ["graph_cache", { graph_cache: "graph" }, /a whole path outside the workspace/],
    ["mode", { mode: "reveiw" }, /auto, review, fix, task, gate/],
    ["prompt", { mode: "task" }, /mode task needs it/],
    ["openai_base_url", { openai_base_url: "models.example.com" }, /no URL/],
    ["openai_base_url", { openai_base_url: "file:///etc/passwd" }, /no URL/],
    ["name", { name: "@sallyport" }, /Leave out the @|what people mention/],
    ["bot_login", { bot_login: "git hub" }, /no login/],
    ["max_usd", { max_usd: "five" }, /number of dollars/],
    ["max_usd", { max_usd: "0" }, /above 0/],
    ["max_usd", { max_usd: "1e9" }, /number of dollars/],
    ["max_minutes", { max_minutes: "-3" }, /number of minutes/],
    ["max_minutes", { max_minutes: "Infinity" }, /number of minutes/],
  ] as const)("%s: %j", ([name, inputs, why]) => {
    expect(() => read(inputs)).toThrow(new RegExp(`^The input ${name} .*${why.source}`));
  });

  test.each([
    ["/work/repo", false],
    ["/work/repo/.cache", false],
    ["/work/repo/../repo/x", false],
    ["/work/repository", true],
    ["/temp/graph", true],
  ])("of a folder for the graph that a checkout could fill: %s", (folder, isTaken) => {
    const given = { ...variables({ graph_cache: folder }), GITHUB_WORKSPACE: "/work/repo" };
    if (isTaken) expect(readInputs(given).graphCache).toBe(folder);
    else expect(() => readInputs(given)).toThrow(/^The input graph_cache .*outside the workspace/);
  });

  test("that lacks, once a model is needed, and tells forks what to do instead", () => {
    expect(() => requireModel(read(), false)).toThrow(/openai_api_key/);
    expect(() => requireModel(read(), true)).toThrow(expect.objectContaining({ hint: expect.stringMatching(/pull_request_target.*gate/) }));
    expect(() => requireModel(read({ openai_base_url: "http://127.0.0.1:1/v1" }), false)).not.toThrow();
  });
});

test("what is to be masked is known before anything can fail", () => {
  expect(secretInputs(variables({ openai_api_key: "sk-1", mode: "wrong" }))).toEqual(["ghs_x", "sk-1"]);
  expect(secretInputs({})).toEqual([]);
});
