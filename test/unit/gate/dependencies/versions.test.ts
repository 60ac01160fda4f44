import { assert, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { compareVersions, isInRange, isWithin, lastVersions, majorOf, satisfies } from "../../../../src/gate/dependencies/versions.ts";

describe("versions", () => {
  it.each([
    ["1.0.0", "1.0.1"],
    ["1.9.0", "1.10.0"],
    ["1.0.0-alpha", "1.0.0-beta"],
    ["1.0.0-rc.1", "1.0.0"],
    ["1.0rc1", "1.0"],
    ["1.0.dev1", "1.0"],
    ["1.0", "1.0.post1"],
    ["33.0.0-jre", "33.1.0-jre"],
    ["v0.0.0-20200101000000-aaaaaaaaaaaa", "v0.1.0"],
    ["2.0.0", "2024.1.0"],
    ["1", "1.0.1"],
  ])("%s comes before %s", (a, b) => {
    expect(compareVersions(a, b)).toBeLessThan(0);
    expect(compareVersions(b, a)).toBeGreaterThan(0);
  });

  it.each([
    ["1.0", "1.0.0"],
    ["v1.2.3", "1.2.3"],
    ["1.2.3+build.5", "1.2.3"],
    ["v2.0.0+incompatible", "2.0.0"],
  ])("%s is %s", (a, b) => {
    expect(compareVersions(a, b)).toBe(0);
  });

  it("of three numbers are ordered as the numbers are", () => {
    const version = tuple(integer({ min: 0, max: 99 }), integer({ min: 0, max: 99 }), integer({ min: 0, max: 99 }));
    assert(
      property(version, version, (a, b) => {
        const order = a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
        expect(Math.sign(compareVersions(a.join("."), b.join(".")))).toBe(Math.sign(order));
      }),
    );
  });

  it.each<[string, string, boolean]>([
    ["4.17.11", "< 4.17.12", true],
    ["4.17.12", "< 4.17.12", false],
    ["1.5.0", ">= 1.0, < 2.0", true],
    ["2.0.0", ">= 1.0, < 2.0", false],
    ["2.0.0-rc.1", ">= 1.0, < 2.0", true],
    ["21.5.0", "= 21.5.0", true],
    ["21.5.1", "= 21.5.0", false],
    ["1.0.0", "<= 1.0.0", true],
    ["1.0.0", "> 1.0.0", false],
    ["7", ">= 0", true],
    ["1.0.0", "whatever this is", true],
    ["1.0.0", "", true],
  ])("%s in %j: %s", (version, range, expected) => {
    expect(isInRange(version, range, "pip")).toBe(expected);
    expect(isInRange(version, range, "npm")).toBe(expected);
  });

  it("of a range are within another's only when that can be told", () => {
    expect(isWithin("^4.17.0", "< 5.0.0")).toBe(true);
    expect(isWithin("^4.17.0", "< 4.17.12")).toBe(false);
    expect(isWithin(">=1.0.0 <1.5.0", ">= 1.0.0, < 2.0.0")).toBe(true);
    expect(isWithin("", "nonsense")).toBe(false);
  });

  it("that a range ends with are named, and what satisfies it is known", () => {
    expect(lastVersions("1.0.0 - 2.3.4 || <=5.0.0")).toEqual(["2.3.4", "5.0.0"]);
    expect(lastVersions("^1.0.0")).toEqual([]);
    expect(lastVersions("nonsense")).toEqual([]);
    expect(satisfies("1.2.3", "^1.0.0")).toBe(true);
    expect(satisfies("2.0.0", "^1.0.0")).toBe(false);
    expect(satisfies("33.0.0-jre", undefined)).toBe(true);
  });

  it("have a first number, or none", () => {
    expect(["v12.1", " 3", "x", undefined, "9".repeat(400)].map(majorOf)).toEqual([12, 3, undefined, undefined, 999_999_999_999_999]);
  });
});
