import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gateSettings, type GateLayer, type GateSettings } from "../../../src/config/gate-policy.ts";
import { readGoodLayer } from "../../../src/config/read-layer.ts";
import { ConfigurationError } from "../../../src/core/errors.ts";

const FILE = ".github/sallyport.yml";
const read = (yaml: string): GateLayer => readGoodLayer(yaml, FILE, "repository").gate ?? {};

describe("a file of the configuration", () => {
  it("may say everything that there is to say about the gate", () => {
    const yaml = `
label: bot
gate:
  protected: { "docs/**": ask, Makefile: warn }
  impact: { warn: 20, ask: 100 }
  vulnerabilities: { block: critical, warn: medium }
  dependencies: { new: ask, allow: [left-pad], deny: [event-stream] }
  hosts: [docs.example.com, "*.example.org", "localhost:3000"]
  limits: { files: 500, bytes: 8 MiB, deleted_share: 0.5, pull_requests: 2, comments: 5 }
  approvals: { permission: admin, teams: [acme/security], code_owners: true, expires_hours: 1.5 }
  advisories: offline
`;
    expect(gateSettings([read(yaml)])).toEqual({
      protected: { "docs/**": "ask", Makefile: "warn" },
      impact: { warn: 20, ask: 100 },
      vulnerabilities: { block: "critical", warn: "medium" },
      dependencies: { new: "ask", allow: ["left-pad"], deny: ["event-stream"] },
      hosts: ["docs.example.com", "*.example.org", "localhost:3000"],
      limits: { files: 500, bytes: 8 * 1024 * 1024, deleted_share: 0.5, pull_requests: 2, comments: 5 },
      approvals: { permission: "admin", teams: ["acme/security"], code_owners: true, expires_hours: 1.5 },
      advisories: "offline",
    });
  });

  it.each(["", "# nothing\n", "label: bot\n", "gate:\n", "gate: {}\n", '{"gate": {"limits": {}}}'])("may say nothing: %j", (yaml) => {
    expect(gateSettings([read(yaml)])).toEqual(gateSettings([]));
  });

  it.each<[string, string, RegExp]>([
    [
      "an unknown key",
      "gate:\n  limits:\n    files: 3\n    byts: 3\n",
      /:4: gate\.limits\.byts: this key is not known; did you mean bytes\?/,
    ],
    ["an unknown key at the top", "gate:\n  protect: {}\n", /:2: gate\.protect: this key is not known; did you mean protected\?/],
    [
      "a severity nobody knows",
      'gate:\n  protected:\n    "a/**": warn\n    "b/**": allow\n',
      /:4: gate\.protected\.b\/\*\*: expected one of warn, ask, block/,
    ],
    ["a glob that means everything else", 'gate:\n  protected:\n    "!a": warn\n', /:3: gate\.protected\.!a: expected a glob/],
    ["a number in words", "gate:\n  limits:\n    files: many\n", /:3: gate\.limits\.files: expected number/],
    ["bytes in an unknown unit", "gate:\n  limits: { bytes: 4 Mib }\n", /:2: gate\.limits\.bytes: expected a number of bytes/],
    ["a share of more than all", "gate: { limits: { deleted_share: 1.5 } }\n", /:1: gate\.limits\.deleted_share: /],
    [
      "a host with a scheme",
      "gate:\n  hosts:\n    - good.example\n    - https://bad.example\n",
      /:4: gate\.hosts\.1: expected a host name/,
    ],
    ["a list where keys are expected", "gate: [a]\n", /:1: gate: expected object/],
    ["a list at the top", "- gate\n", /:1: expected keys/],
    ["a key that comes twice", "gate:\n  hosts: []\n  hosts: []\n", /:3: gate: it is no valid YAML: Map keys must be unique/],
    ["something that is no YAML", "gate:\n  hosts: [\n", /:\d: gate: it is no valid YAML/],
    [
      "an alias bomb",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
        .split("")
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[index]}`).join(",")}]\n`)
        .join("")}`,
      /no valid YAML/,
    ],
    ["through an alias", "x-limits: &x\n  files: no\ngate:\n  limits: *x\n", /:2: gate\.limits\.files: /],
  ])("is refused for %s, by file, line and key", (_, yaml, message) => {
    expect(() => read(yaml)).toThrow(ConfigurationError);
    expect(() => read(yaml)).toThrow(message);
    expect(() => read(yaml)).toThrow(FILE);
  });
});

describe("a lower layer", () => {
  const merged = (upper: GateLayer, lower: GateLayer): GateSettings => gateSettings([upper, lower]);

  it.each<[string, GateLayer, GateLayer, Partial<GateSettings>]>([
    ["loosens what nobody has set above it", {}, { protected: { "ci/**": "warn" } }, { protected: { "ci/**": "warn" } }],
    ["tightens a glob", { protected: { "a/**": "warn" } }, { protected: { "a/**": "block" } }, { protected: { "a/**": "block" } }],
    ["does not loosen a glob", { protected: { "a/**": "block" } }, { protected: { "a/**": "warn" } }, { protected: { "a/**": "block" } }],
    [
      "does not take a file out of a glob",
      { protected: { "a/**": "block" } },
      { protected: { "a/b": "warn", "A/c": "warn", "b/c": "warn" } },
      { protected: { "a/**": "block", "a/b": "block", "A/c": "block", "b/c": "warn" } },
    ],
    [
      "takes the smaller limit",
      { limits: { files: 10, bytes: 100 } },
      { limits: { files: 20, bytes: 50, comments: 99 } },
      { limits: { files: 10, bytes: 50, comments: 99, deleted_share: 0.2, pull_requests: 1 } },
    ],
    [
      "asks for no less of who approves",
      { approvals: { permission: "maintain", code_owners: true, expires_hours: 24 } },
      { approvals: { permission: "read", code_owners: false, expires_hours: 48 } },
      { approvals: { permission: "maintain", code_owners: true, expires_hours: 24, teams: [] } },
    ],
    [
      "names no other team",
      { approvals: { teams: ["a"] } },
      { approvals: { teams: ["b"] } },
      { approvals: { permission: "maintain", teams: ["a"], code_owners: false, expires_hours: 72 } },
    ],
    ["adds no host", { hosts: ["a.example"] }, { hosts: ["a.example", "b.example"] }, { hosts: ["a.example"] }],
    [
      "forbids more packages and lets no more in",
      { dependencies: { new: "ask", allow: ["a"], deny: ["b"] } },
      { dependencies: { new: "allow", allow: ["a", "c"], deny: ["d"] } },
      { dependencies: { new: "ask", allow: ["a"], deny: ["b", "d"] } },
    ],
    [
      "keeps to the threshold",
      { vulnerabilities: { block: "medium" } },
      { vulnerabilities: { block: "critical", warn: "low" } },
      { vulnerabilities: { block: "medium", warn: "low" } },
    ],
    ["does not choose the source", { advisories: "online" }, { advisories: "offline" }, { advisories: "online" }],
  ])("%s", (_, upper, lower, expected) => {
    expect(merged(upper, lower)).toMatchObject(expected);
  });

  it("never makes a number larger or a protection weaker, whatever it says", () => {
    const severity = fc.constantFrom("warn" as const, "ask" as const, "block" as const);
    const layer: fc.Arbitrary<GateLayer> = fc.record(
      {
        protected: fc.dictionary(fc.constantFrom("a/**", "a/b", "**/*.md", "x"), severity),
        limits: fc.record({ files: fc.nat(), bytes: fc.nat(), comments: fc.nat() }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    );
    const rank = ["warn", "ask", "block"];
    fc.assert(
      fc.property(layer, layer, (upper, lower) => {
        const both = merged(upper, lower);
        for (const [glob, one] of Object.entries(upper.protected ?? {})) {
          expect(rank.indexOf(both.protected[glob] ?? "")).toBeGreaterThanOrEqual(rank.indexOf(one));
        }
        for (const key of ["files", "bytes", "comments"] as const)
          expect(both.limits[key]).toBeLessThanOrEqual(upper.limits?.[key] ?? Infinity);
      }),
    );
  });
});
