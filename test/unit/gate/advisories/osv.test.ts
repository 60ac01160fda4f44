import { assert, constantFrom, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { readOsv } from "../../../../src/gate/advisories/osv.ts";
import { isInRange } from "../../../../src/gate/dependencies/versions.ts";

const osv = (more: object = {}) => ({
  schema_version: "1.4.0",
  id: "GHSA-aaaa-bbbb-cccc",
  modified: "2026-11-01T10:00:00Z",
  affected: [affected({})],
  database_specific: { severity: "HIGH", github_reviewed: true, cwe_ids: [] },
  ...more,
});
const affected = (more: object, events: readonly object[] = [{ introduced: "0" }, { fixed: "1.2.0" }]) => ({
  package: { ecosystem: "npm", name: "left" },
  ranges: [{ type: "ECOSYSTEM", events }],
  ...more,
});
const rangesOf = (value: unknown): readonly string[] => {
  const reading = readOsv(value);
  return reading.kind === "advisory" ? reading.advisory.affects.map(({ range }) => range) : [reading.kind];
};

describe("an advisory in OSV's format", () => {
  it("is read with its registry, its severity, its range and the version that mends it", () => {
    expect(readOsv(osv())).toEqual({
      kind: "advisory",
      modified: "2026-11-01T10:00:00.000Z",
      advisory: {
        id: "GHSA-aaaa-bbbb-cccc",
        severity: "high",
        isMalware: false,
        affects: [{ ecosystem: "npm", name: "left", range: "< 1.2.0", patched: "1.2.0" }],
      },
    });
  });

  it.each<[string, object, readonly string[]]>([
    ["the last version that is affected", affected({}, [{ introduced: "1.0.0" }, { last_affected: "1.5.0" }]), [">= 1.0.0, <= 1.5.0"]],
    ["no end", affected({}, [{ introduced: "2.0.0" }]), [">= 2.0.0"]],
    ["neither end", affected({}, [{ introduced: "0" }]), [">= 0"]],
    [
      "an end that only the database knows",
      affected({ database_specific: { last_known_affected_version_range: "<= 3.1.0" } }, [{ introduced: "0" }]),
      ["<= 3.1.0"],
    ],
    [
      "several stretches in one list, in no order",
      affected({}, [{ fixed: "2.1.0" }, { introduced: "0" }, { introduced: "2.0.0" }, { fixed: "1.1.0" }]),
      ["< 1.1.0", ">= 2.0.0, < 2.1.0"],
    ],
    ["versions beside a range", affected({ versions: ["1.0.0", "7.0.0"] }), ["< 1.2.0", "= 7.0.0"]],
    ["versions alone", affected({ ranges: [], versions: ["1.0.1", "1.0.2"] }), ["= 1.0.1", "= 1.0.2"]],
    ["commits only", affected({ ranges: [{ type: "GIT", events: [{ introduced: "0" }] }] }), [""]],
    ["a version that cannot be written in a range", affected({}, [{ introduced: "0" }, { fixed: "1, >= 0" }]), [""]],
    ["events that are none", affected({}, [{ introduced: 3 }]), [""]],
  ])("says of %s what GitHub would", (_, entry, expected) => {
    expect(rangesOf(osv({ affected: [entry] }))).toEqual(expected);
  });

  it.each<[string, object, string]>([
    ["one that was withdrawn", { withdrawn: "2026-11-02T00:00:00Z" }, "left-out"],
    ["one that nobody has reviewed", { database_specific: { github_reviewed: false, severity: "HIGH" } }, "left-out"],
    ["one about no package of a registry", { affected: [{ package: { ecosystem: "Linux", name: "kernel" } }] }, "left-out"],
    ["one about nothing", { affected: [] }, "left-out"],
    ["one without an id", { id: undefined }, "unreadable"],
    ["one without a time", { modified: "soon" }, "unreadable"],
    ["one whose packages are no list", { affected: {} }, "unreadable"],
  ])("%s is left out or refused", (_, more, kind) => {
    expect(readOsv(osv(more)).kind).toBe(kind);
  });

  it.each<[string, object]>([
    ["by its weakness", { database_specific: { cwe_ids: ["CWE-506"], severity: "CRITICAL", github_reviewed: true } }],
    ["by its id", { id: "MAL-2026-1", database_specific: {} }],
    ["though nobody has reviewed it", { database_specific: { cwe_ids: ["CWE-506"], github_reviewed: false } }],
  ])("is known as malware %s", (_, more) => {
    expect(readOsv(osv(more))).toMatchObject({ kind: "advisory", advisory: { isMalware: true, severity: "critical" } });
  });

  it.each([
    ["PyPI", "pip"],
    ["Go", "go"],
    ["crates.io", "rust"],
    ["Maven", "maven"],
    ["Maven:https://repo.example", "maven"],
    ["RubyGems", "rubygems"],
    ["NuGet", "nuget"],
    ["Packagist", "composer"],
  ])("of %s is one of %s", (long, ecosystem) => {
    const reading = readOsv(osv({ affected: [affected({ package: { ecosystem: long, name: "left" } })] }));
    expect(reading).toMatchObject({ advisory: { affects: [{ ecosystem }] } });
  });

  it("takes exactly the versions between its events, in whatever order they stand", () => {
    const number = integer({ min: 1, max: 9 });
    const end = constantFrom("fixed", "last_affected");
    assert(
      property(number, number, end, integer({ min: 0, max: 10 }), (from, length, kind, asked) => {
        const to = from + length;
        const events = [{ [kind]: `${to}.0.0` }, { introduced: `${from}.0.0` }];
        const [range = ""] = rangesOf(osv({ affected: [affected({}, events)] }));
        const isAffected = asked >= from && (kind === "fixed" ? asked < to : asked <= to);
        expect(isInRange(`${asked}.0.0`, range, "npm")).toBe(isAffected);
      }),
    );
  });

  it("is read or refused, whatever it holds", () => {
    const odd = constantFrom<unknown>(null, "", "0", 1, [], {}, [{}], { events: [{}] }, "1.0.0", { package: null });
    assert(
      property(tuple(odd, odd, odd, odd), ([entry, ranges, versions, own]) => {
        const value = osv({ affected: [entry, affected({ ranges: [ranges], versions: [versions] })], database_specific: own });
        expect(["advisory", "left-out", "unreadable"]).toContain(readOsv(value).kind);
        expect(readOsv(entry).kind).toBe("unreadable");
      }),
    );
  });
});
