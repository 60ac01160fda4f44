import { assert, constantFrom, nat, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../../../../src/gate/dependencies/edit-distance.ts";
import type { Ecosystem } from "../../../../src/gate/dependencies/facts.ts";
import { createLookalikes } from "../../../../src/gate/dependencies/lookalike.ts";
import { wellKnownNames } from "../../../../src/gate/dependencies/well-known/names.ts";

const lookalikes = createLookalikes();
const find = (ecosystem: Ecosystem, name: string, present: readonly string[] = []) => lookalikes(ecosystem, new Set(present))(name);

describe("names that look like others", () => {
  it.each<[Ecosystem, string, string]>([
    ["npm", "lodahs", "lodash"],
    ["npm", "loadsh", "lodash"],
    ["npm", "reactt", "react"],
    ["npm", "expresss", "express"],
    ["npm", "mongose", "mongoose"],
    ["npm", "electorn", "electron"],
    ["npm", "typscript", "typescript"],
    ["npm", "crossenv", "cross-env"],
    ["npm", "jquery.js", "jquery"],
    ["npm", "types-node", "@types/node"],
    ["npm", "@bable/core", "@babel"],
    ["pip", "reqests", "requests"],
    ["pip", "urlib3", "urllib3"],
    ["pip", "djanga", "django"],
    ["pip", "jeilyfish", "jellyfish"],
    ["pip", "scikit-lern", "scikit-learn"],
    ["pip", "python-dateutils", "python-dateutil"],
    ["go", "github.com/siruspen/logrus", "github.com/sirupsen/logrus"],
    ["go", "github.com/Sirupsen/logrus", "github.com/sirupsen/logrus"],
    ["go", "github.com/strechr/testify/v2", "github.com/stretchr/testify"],
    ["rust", "serd", "serde"],
    ["rust", "tokoi", "tokio"],
    ["rust", "reqwests", "reqwest"],
  ])("%s: %s is taken for %s", (ecosystem, name, other) => {
    expect(find(ecosystem, name)).toBe(other);
  });

  it.each<[Ecosystem, readonly string[]]>([
    [
      "npm",
      [
        "preact",
        "zod",
        "vite",
        "vue",
        "koa",
        "got",
        "nx",
        "jsdoc",
        "jsdom",
        "tslint",
        "colors",
        "color",
        "mysql2",
        "redux",
        "left-pad",
        "is-odd",
        "date-fns",
        "@types/lodash",
        "@babel/whatever",
        "@acme/new",
        "lodash-es",
        "x",
      ],
    ],
    ["pip", ["httpx", "pillow", "rich", "polars", "boto", "uvicorn", "pandera", "mypy-boto3-xyz", "types-something"]],
    ["go", ["github.com/spf13/viper2", "github.com/foo/bar", "golang.org/x/whatever", "gopkg.in/yaml.v3", "github.com/aws/aws-sdk-go-v3"]],
    ["rust", ["faster_log", "axum-extra", "hyperscan", "uuid7"]],
    ["maven", ["com.google.guava:guava"]],
  ])("%s: others are not", (ecosystem, names) => {
    expect(names.map((name) => [name, find(ecosystem, name)])).toEqual(names.map((name) => [name, undefined]));
  });

  it("are looked for among the repository's own as well, families and scopes aside", () => {
    expect(find("npm", "acme-clint", ["acme-client"])).toBe("acme-client");
    expect(find("npm", "acme-internal-util", ["@acme-internal/util"])).toBe("@acme-internal/util");
    expect(find("npm", "@acme-interna1/util", ["@acme-internal/util"])).toBe("@acme-internal");
    expect(find("npm", "@acme-internal/utils", ["@acme-internal/util"])).toBeUndefined();
    expect(find("maven", "org.acme:clint", ["org.acme:client"])).toBe("org.acme:client");
  });

  it("are not the known names themselves", () => {
    for (const ecosystem of ["npm", "pip", "go", "rust"] as const) {
      const { targets, others } = wellKnownNames(ecosystem);
      const finder = lookalikes(ecosystem, new Set());
      expect([...targets, ...others].filter((name) => finder(name) !== undefined)).toEqual([]);
      expect(new Set(targets).size).toBe(targets.length);
    }
  });

  it("of prototype's fields and of endless length are ordinary names", () => {
    expect(["__proto__", "constructor", "a".repeat(100_000)].map((name) => find("npm", name))).toEqual([undefined, undefined, undefined]);
  });
});

describe("the distance of two names", () => {
  it.each<[string, string, number]>([
    ["lodash", "lodash", 0],
    ["lodash", "lodahs", 1],
    ["lodash", "lodas", 1],
    ["lodash", "loodash", 1],
    ["lodash", "lodosh", 1],
    ["lodash", "oldahs", 2],
    ["a", "abc", 2],
    ["abcdef", "uvwxyz", 3],
  ])("%s and %s: %i", (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(distance);
    expect(editDistance(b, a, 2)).toBe(distance);
  });

  it("is one after any one slip", () => {
    const names = wellKnownNames("npm").targets.filter((name) => name.length > 5);
    assert(
      property(constantFrom(...names), nat(), constantFrom("drop", "double", "swap"), (name, at, slip) => {
        const index = at % (name.length - 1);
        const [before, one, two, after] = [name.slice(0, index), name[index] ?? "", name[index + 1] ?? "", name.slice(index + 2)];
        const slipped = { drop: before + two + after, double: before + one + one + two + after, swap: before + two + one + after }[slip];
        expect(editDistance(slipped, name, 2)).toBe(slipped === name ? 0 : 1);
      }),
    );
  });
});
