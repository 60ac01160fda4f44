import { describe, expect, it } from "vitest";
import type { Advisory, AdvisorySource, PackageVersion } from "../../../../src/core/advisory.ts";
import { defaultPolicy, type GatePolicy } from "../../../../src/gate/policy.ts";
import { hash, json, judgeChange } from "../dependencies/supply-chain.ts";

const advisory = (id: string, name: string, range: string, severity: Advisory["severity"], more: Partial<Advisory> = {}): Advisory => ({
  id: `GHSA-${id}`,
  summary: `Something about ${name}`,
  severity,
  isMalware: false,
  affects: [{ name, range, patched: "4.17.21" }],
  ...more,
});
const KNOWN: readonly Advisory[] = [
  advisory("crit", "lodash", "< 4.17.12", "critical"),
  advisory("high", "lodash", ">= 4.17.0, < 4.17.19", "high"),
  advisory("medi", "lodash", "< 4.17.21", "medium"),
  advisory("nxnx", "nx", "= 21.5.0", "critical", { isMalware: true }),
  advisory("evil", "evil", ">= 0", "low", { isMalware: true }),
  advisory("lows", "braces", "< 3.0.3", "low"),
  advisory("unkn", "ws", "< 8.0.0", "unknown"),
  advisory("py01", "requests", "< 2.31.0", "high"),
  advisory("go01", "golang.org/x/net", "< 0.17.0", "high"),
  advisory("rust", "time", ">= 0.1.0, < 0.2.23", "high"),
];

/** Answers as GitHub does: all advisories of any of the packages asked about. */
function source(
  advisories: readonly Advisory[] = KNOWN,
): AdvisorySource & { readonly asked: { ecosystem: string; packages: readonly PackageVersion[] }[] } {
  const asked: { ecosystem: string; packages: readonly PackageVersion[] }[] = [];
  return {
    asked,
    affecting(ecosystem, packages) {
      asked.push({ ecosystem, packages });
      const names = new Set(packages.map(({ name }) => name));
      const hits = advisories.filter(({ affects }) => affects.some(({ name }) => names.has(name)));
      return Promise.resolve({ status: "known", advisories: hits });
    },
  };
}

const manifest = (dependencies: Readonly<Record<string, string>>): string => json({ name: "app", dependencies });
const lock = (versions: Readonly<Record<string, string>>): string =>
  json({
    lockfileVersion: 3,
    packages: {
      "": { dependencies: versions },
      ...Object.fromEntries(
        Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version, integrity: hash(version.at(-1) ?? "x") }]),
      ),
    },
  });

async function found(
  base: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>>,
  { policy = {}, ...rest }: { readonly advisories?: AdvisorySource | undefined; readonly policy?: Partial<GatePolicy> } = {},
) {
  const advisories = "advisories" in rest ? rest.advisories : source();
  const findings = await judgeChange({ base, change, advisories, policy });
  return findings.filter(({ rule, severity }) => rule === "vulnerabilities" && severity !== "info");
}
const severitiesOf = (findings: Awaited<ReturnType<typeof found>>): readonly string[] => findings.map(({ severity }) => severity);

describe("known vulnerabilities", () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["malware", { nx: "21.5.0" }, ["block"]],
    ["a version beside malware", { nx: "21.5.1" }, []],
    ["malware in every version, whatever its severity", { evil: "1.0.0" }, ["block"]],
    ["malware in every version, none named", { evil: "*" }, ["block"]],
    ["a critical one", { lodash: "4.17.11" }, ["block"]],
    ["a high one", { lodash: "4.17.15" }, ["block"]],
    ["a medium one", { lodash: "4.17.20" }, ["warn"]],
    ["a low one", { braces: "3.0.2" }, ["warn"]],
    ["one that nobody has weighed", { ws: "7.0.0" }, ["block"]],
    ["none", { lodash: "4.17.21" }, []],
    ["a range that begins with one and goes on beyond", { lodash: "^4.17.11" }, ["warn"]],
    ["a range of nothing else", { lodash: ">=4.17.0 <4.17.12" }, ["block"]],
    ["a range of which only the worst does not reach the end", { lodash: ">=4.17.0 <4.17.15" }, ["block"]],
    ["a range that ends with one", { lodash: "4.0.0 - 4.17.11" }, ["block", "block"]],
    ["a range whose last version has one", { nx: ">=21.0.0 <=21.5.0" }, ["block"]],
    ["no version at all", { lodash: "*" }, ["warn"]],
    ["an exact version in an older notation", { lodash: "=4.17.11" }, ["block"]],
  ])("of a new package: %s", async (_, dependencies, expected) => {
    expect(severitiesOf(await found({ "package.json": manifest({}) }, { "package.json": manifest(dependencies) }))).toEqual(expected);
  });

  it.each<[string, string, string, readonly string[]]>([
    ["to one without any", "4.17.11", "4.17.21", []],
    ["to fewer", "4.17.11", "4.17.15", ["warn"]],
    ["to lesser", "4.17.15", "4.17.20", ["warn"]],
    ["to the same ones", "4.17.15", "4.17.16", ["warn"]],
    ["back to more", "4.17.20", "4.17.11", ["block"]],
    ["from none to some", "4.17.21", "4.17.15", ["block"]],
  ])("of a version that changes %s", async (_, from, to, expected) => {
    const base = { "package.json": manifest({ lodash: from }), "package-lock.json": lock({ lodash: from }) };
    const change = { "package.json": manifest({ lodash: to }), "package-lock.json": lock({ lodash: to }) };
    expect(severitiesOf(await found(base, change))).toEqual(expected);
    expect(severitiesOf(await found({ "package.json": base["package.json"] }, { "package.json": change["package.json"] }))).toEqual(
      expected,
    );
  });

  it("are found for a Python project under each spelling of its name", async () => {
    const spelled = [advisory("spel", "Zope.Interface", "< 5.0", "high")];
    const advisories = source(spelled);
    const findings = await found(
      { "requirements.txt": "" },
      { "requirements.txt": "zope_interface==4.0\n" },
      {
        advisories: {
          ...advisories,
          affecting: async (ecosystem, packages) => {
            await advisories.affecting(ecosystem, packages);
            return { status: "known", advisories: spelled };
          },
        },
      },
    );
    expect(severitiesOf(findings)).toEqual(["block"]);
    expect(advisories.asked[0]?.packages.map(({ name }) => name)).toEqual(["zope-interface", "zope_interface", "zope.interface"]);
  });

  it("are told with their names, how bad they are and what mends them", async () => {
    const [finding] = await found({ "package.json": manifest({}) }, { "package.json": manifest({ lodash: "4.17.11" }) });
    expect(finding).toMatchObject({ where: { path: "package.json" }, fix: "Use 4.17.21 or later." });
    expect(finding?.why).toContain("lodash@4.17.11 has known vulnerabilities (GHSA-crit, critical; GHSA-high, high; GHSA-medi, medium)");
  });

  it("are looked up for what the lockfile resolves a range to", async () => {
    const base = { "package.json": manifest({}), "package-lock.json": lock({}) };
    const change = (version: string) => ({
      "package.json": manifest({ lodash: "^4.17.0" }),
      "package-lock.json": lock({ lodash: version }).replace(`"lodash": "${version}"`, '"lodash": "^4.17.0"'),
    });
    expect(severitiesOf(await found(base, change("4.17.21")))).toEqual([]);
    expect(severitiesOf(await found(base, change("4.17.11")))).toEqual(["block"]);
  });

  it("are looked up for what a standing lockfile resolves a new range to", async () => {
    const base = { "package.json": manifest({ lodash: "4.17.21" }), "package-lock.json": lock({ lodash: "4.17.21" }) };
    const advisories = source();
    expect(severitiesOf(await found(base, { "package.json": manifest({ lodash: "^4.17.0" }) }, { advisories }))).toEqual([]);
    expect(advisories.asked).toEqual([]);
  });

  it.each<[string, string, string, string, string]>([
    ["pip", "requirements.txt", "", "Requests==2.30.0\n", "requests"],
    ["pip", "pyproject.toml", "", '[project]\nname = "a"\ndependencies = ["requests>=2.20,<2.31"]\n', "requests"],
    ["go", "go.mod", "module a\n", "module a\nrequire golang.org/x/net v0.16.0\n", "golang.org/x/net"],
    ["rust", "Cargo.toml", "", '[dependencies]\ntime = "=0.2.22"\n', "time"],
    ["rust", "Cargo.toml", "", '[dependencies]\ntime = "0.1"\n', "time"],
  ])("are looked up in %s for %s", async (ecosystem, path, before, after, name) => {
    const advisories = source();
    expect(severitiesOf(await found({ [path]: before }, { [path]: after }, { advisories }))).toEqual(["block"]);
    expect(advisories.asked).toMatchObject([{ ecosystem, packages: [{ name }] }]);
    expect(advisories.asked[0]?.packages.every(({ version }) => !version.startsWith("v"))).toBe(true);
  });

  it.each<[Partial<GatePolicy["vulnerabilities"]>, Readonly<Record<string, string>>, readonly string[]]>([
    [{ block: "critical" }, { lodash: "4.17.15" }, ["warn"]],
    [{ block: "low" }, { braces: "3.0.2" }, ["block"]],
    [{ warn: "medium" }, { braces: "3.0.2" }, []],
    [{ block: "critical", warn: "critical" }, { nx: "21.5.0", evil: "1.0.0" }, ["block", "block"]],
  ])("count as the operator says: %j", async (levels, dependencies, expected) => {
    const policy = { vulnerabilities: { ...defaultPolicy.vulnerabilities, ...levels } };
    expect(severitiesOf(await found({ "package.json": manifest({}) }, { "package.json": manifest(dependencies) }, { policy }))).toEqual(
      expected,
    );
  });
});

describe("a source that cannot say", () => {
  const change = [{ "package.json": manifest({}) }, { "package.json": manifest({ lodash: "4.17.21" }) }] as const;
  const unavailable: AdvisorySource = { affecting: () => Promise.resolve({ status: "unavailable", why: "no answer within 8 s" }) };

  it.each<[string, Parameters<typeof found>[2], string]>([
    ["does not answer", { advisories: unavailable }, "no answer within 8 s"],
    ["is not there", { advisories: undefined }, "no source"],
    ["is switched off", { policy: { advisories: "offline" } }, "switched off"],
  ])("asks people: it %s", async (_, options, why) => {
    const findings = await found(...change, options);
    expect(findings).toMatchObject([{ severity: "ask", where: { path: "package.json" } }]);
    expect(findings[0]?.why).toContain("lodash@4.17.21");
    expect(findings[0]?.why).toContain(why);
  });

  it("is not asked about a change that brings no version", async () => {
    const same = json({ name: "app", version: "2.0.0", dependencies: {} });
    expect(await found({ "package.json": manifest({}) }, { "package.json": same }, { advisories: unavailable })).toEqual([]);
    const fewer = [{ "package.json": manifest({ lodash: "4.17.11" }) }, { "package.json": manifest({}) }] as const;
    expect(await found(...fewer, { advisories: unavailable })).toEqual([]);
  });

  it("is not asked about more versions than can be looked up in time", async () => {
    const many = Object.fromEntries(Array.from({ length: 3_001 }, (_, index) => [`package-number-${index}`, "1.0.0"]));
    const advisories = source();
    expect(severitiesOf(await found({ "package.json": manifest({}) }, { "package.json": manifest(many) }, { advisories }))).toEqual([
      "ask",
    ]);
    expect(advisories.asked).toEqual([]);
  });
});
