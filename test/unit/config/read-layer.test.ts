import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLayer, sayFault, type LayerReading, type Origin } from "../../../src/config/read-layer.ts";
import { DEFAULT_SETTINGS, settingsOf } from "../../../src/config/settings.ts";

const faults = (yaml: string, origin: Origin = "repository"): readonly string[] => {
  const reading = readLayer(yaml, origin);
  return reading.status === "good" ? [] : reading.faults.map((fault) => sayFault(fault, "f"));
};

describe("a configuration file", () => {
  it.each([
    ["an empty file", "", {}],
    ["a file of comments", "# nothing yet\n", {}],
    ["null", "~\n", {}],
    ["a key without a value", "label:\npermission: read\n", { permission: "read" }],
    ["a byte order mark", "\uFEFFlabel: of-the-repository\n", { label: "of-the-repository" }],
    ["a key of the file's own", "x-mine: &it [1, 2]\nbots: *it\n", { bots: [1, 2] }],
  ])("may be %s", (_, yaml, settings) => {
    expect(readLayer(yaml, "repository")).toEqual({ status: "good", settings });
  });

  it.each<[string, string, readonly string[]]>([
    ["a list", "- a\n- b\n", ["f:1: expected keys such as gate:"]],
    ["a number", "3\n", ["f:1: expected keys such as gate:"]],
    [
      "keys that nobody knows, each with the nearest",
      "ignore: docs/**\nlabels: 3\n",
      ["f:1: ignore: this key is not known", "f:2: labels: this key is not known; did you mean label?"],
    ],
    ["a value of another type", "permission: 17\n", ["f:1: permission: expected one of read, triage, write, maintain, admin"]],
    [
      "a key that nobody knows further in, where a value has several forms",
      "label: a\nreview:\n  ingore: [a]\n",
      ["f:3: review.ingore: this key is not known; did you mean ignore?"],
    ],
    ["a word of another form", "ci: fixx\n", ["f:1: ci: expected fix, explain, off, or an object with keys such as mode"]],
    [
      "YAML that does not end",
      "permission: write\nreview: [true\n",
      ["f:3: review: it is no valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]"],
    ],
    [
      "a second document",
      "permission: admin\n---\npermission: read\n",
      ["f:2: permission: it is no valid YAML: Source contains multiple documents"],
    ],
    ["half a character", 'label: "\\ud800"\n', ["f:1: label: expected text, without NUL and half characters"]],
    ["NUL", 'instructions: "a\\0b"\n', ["f:1: instructions: expected text, without NUL and half characters"]],
    ["a prototype", "__proto__: { permission: read }\n", ["f:1: __proto__: this key is not known"]],
    ["a merge key", "x-a: &a { permission: read }\n<<: *a\n", ["f:2: <<: this key is not known"]],
    [
      "a time zone that is none",
      "quiet_hours: { from: 22:00, to: 06:00, timezone: Mars/Base }\n",
      ["f:1: quiet_hours.timezone: expected a time zone's name, such as Europe/Berlin"],
    ],
    [
      "a clock that never strikes",
      "schedules:\n  - { cron: 61 6 * * 1, task: x }\n",
      ["f:2: schedules.0.cron: expected five fields of cron, such as 0 6 * * 1"],
    ],
    [
      "what only the server may say",
      "label: a\nsandbox: { mode: auto }\ntools: {}\n",
      ["f:2: sandbox: only the server's own file may say this", "f:3: tools: only the server's own file may say this"],
    ],
  ])("is faulty for %s", (_, yaml, said) => {
    expect(faults(yaml)).toEqual(said);
  });

  it("may say more where it is the server's", () => {
    expect(faults("sandbox: { mode: auto }\nrepositories: { include: [acme/*] }\n", "server")).toEqual([]);
  });

  it("may say where commands run, and nothing else of the server's, where it is a workflow's own words", () => {
    const said = faults("sandbox: { toolchains: [/opt/hostedtoolcache] }\nrepositories: { include: [acme/*] }\n", "workflow");
    expect(said).toEqual(["f:2: repositories: only the server's own file may say this"]);
  });

  it("never makes the reader throw, whatever stands in it", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.stringMatching(/^[a-z:&*{}[\],\n -]{0,60}$/)), (text) => {
        expect(["good", "faulty"]).toContain(readLayer(text, "repository").status);
      }),
    );
  });
});

describe("what can be read of a faulty file", () => {
  const held = (yaml: string) => (readLayer(yaml, "repository") as Extract<LayerReading, { status: "faulty" }>).held;

  it("is what it says of gate, permission and budgets, and is right by itself", () => {
    const yaml = `permission: maintain
max_usd: -1
max_turns: 5
label: nobody
gate:
  hosts: [a.example, "b c"]
  protected: { "docs/**": ask, "!x": warn }
  limits: { files: 3, bytes: many }
review: [
`;
    expect(held(yaml)).toEqual({
      permission: "maintain",
      max_turns: 5,
      gate: { hosts: ["a.example"], protected: { "docs/**": "ask" }, limits: { files: 3 } },
    });
  });

  it("tightens, also what is tighter by default, and loosens nothing", () => {
    const loose = held("permission: read\nmax_turns: 500\ngate: { limits: { files: 9000 }, hosts: [a.example] }\nreview: [\n");
    expect(settingsOf([], [loose])).toEqual(DEFAULT_SETTINGS);
    const tight = held("permission: admin\nmax_usd: 1\ngate: { protected: { x: block }, limits: { files: 3 } }\nreview: [\n");
    expect(settingsOf([{ permission: "maintain" }, { label: "mine" }], [tight])).toMatchObject({
      permission: "admin",
      label: "mine",
      max_usd: 1,
      max_usd_is_set: true,
      gate: { protected: { x: "block" }, limits: { files: 3, comments: 20 } },
    });
  });
});
