import { describe, expect, it } from "vitest";
import { explain, renderExplained } from "../../../src/config/explain.ts";
import { fileSchema } from "../../../src/config/file-schema.ts";

const layers = (server: object, organisation: object, repository: object) => [
  { name: "server", settings: fileSchema.parse(server) },
  { name: "organisation", settings: fileSchema.parse(organisation) },
  { name: "repository", settings: fileSchema.parse(repository) },
];
const about = (key: string, ...said: Parameters<typeof layers>) => explain(layers(...said)).find((one) => one.key === key);

describe("an explained value", () => {
  it.each([
    ["nobody set it", [{}, {}, {}], "max_turns", 50, "default"],
    ["the server set it", [{ label: "a" }, {}, {}], "label", "a", "server"],
    ["a layer below set it anew", [{ label: "a" }, { label: "b" }, { label: "c" }], "label", "c", "repository"],
    ["two layers set other keys of one object", [{ ci: { issue: true } }, {}, { ci: "explain" }], "ci.issue", true, "server"],
    ["a layer tightened it", [{ max_usd: 3 }, { max_usd: 1 }, {}], "max_usd", 1, "organisation"],
    [
      "it is made of two",
      [{ gate: { dependencies: { deny: ["a"] } } }, {}, { gate: { dependencies: { deny: ["b"] } } }],
      "gate.dependencies.deny",
      ["a", "b"],
      "server and repository",
    ],
    ["only the server may", [{ repositories: { include: ["acme/*"] } }, {}, {}], "repositories.include", ["acme/*"], "server"],
  ] as const)("names its layer where %s", (_, said, key, value, from) => {
    expect(about(key, ...(said as unknown as Parameters<typeof layers>))).toEqual({ key, value, from });
  });

  it("says what a layer asked for that would have loosened it", () => {
    const row = about("permission", { permission: "maintain" }, {}, { permission: "read" });
    expect(row).toEqual({ key: "permission", value: "maintain", from: "server", overruled: [{ name: "repository", value: "read" }] });
    expect(row && renderExplained([row])).toBe('permission  "maintain"  server (repository says "read", which would loosen it)\n');
  });

  it.each([
    ["an operator who observes", { enabled: "observe" }, { enabled: true }, "enabled", "observe"],
    ["an operator who has switched it off", { enabled: false }, { enabled: "observe" }, "enabled", false],
    ["an operator who wants plans", { autonomy: "plan" }, { autonomy: { ci: "publish" } }, "autonomy.ci", "plan"],
  ])("does not overrule %s, and says so", (_, server, repository, key, value) => {
    const row = about(key, server, {}, repository);
    expect(row).toMatchObject({ value, from: "server", overruled: [{ name: "repository" }] });
  });

  it.each([
    ["enabled", { enabled: true }, { enabled: "observe" }, "observe"],
    ["autonomy.task", { autonomy: "plan" }, { autonomy: { task: "read" } }, "read"],
    ["autonomy.ci", {}, { autonomy: { ci: "read" } }, "read"],
  ])("lets a layer tighten %s", (key, server, repository, value) => {
    expect(about(key, server, {}, repository)).toEqual({ key, value, from: "repository" });
  });

  it("does not show what others trust the server with", () => {
    const shown = JSON.stringify(explain(layers({ mcp: { a: { url: "https://a.example", headers: { authorization: "hush" } } } }, {}, {})));
    expect(shown).toContain("https://a.example");
    expect(shown).not.toContain("hush");
  });
});
