import { array, assert, constantFrom, dictionary, jsonValue, letrec, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseBlockYaml, type Plain } from "../../../../src/gate/dependencies/block-yaml.ts";
import { UnreadableError } from "../../../../src/gate/dependencies/facts.ts";
import { readerOf } from "../../../../src/gate/dependencies/readers.ts";
import { parseJson } from "../../../../src/gate/dependencies/strict-json.ts";

/** Scalars stay text in the subset; and no prototype is in the way of comparing. */
function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asText(item)]));
  return typeof value === "string" ? value : JSON.stringify(value ?? "").replace(/^""$/, "");
}

const read = (text: string): Plain => {
  try {
    return parseBlockYaml(text);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableError);
    return "refused";
  }
};

describe("YAML as lockfiles write it", () => {
  it.each<[string, string]>([
    ["mappings and lists", "a:\n  b: c\n  d:\n    - e\n    - f: g\n      h: i\n"],
    ["lists at their key's own indentation", "a:\n- b\n- c\nd: e\n"],
    ["flow collections", "a: {b: c, 'd e': [f, g], h: {i: j}}\n"],
    ["empty flow collections", "a: {}\nb: []\n"],
    ["quotes", "a: 'it''s'\nb: \"c\\td\"\n'e:f': g\n\"h\\u0041\": i\n"],
    ["comments", "# one\na: b # two\nc: d#e\n"],
    ["colons inside words", "a: b:c\n/d@e:f: g\n"],
    ["one document's start", "---\na: b\n"],
    ["a key of its own line", '? "a, b"\n:\n  c: d\n'],
    ["texts of several lines", "a: |-\n  b\n  c\nd: e\n"],
    ["nothing", ""],
    ["windows' line ends", "a:\r\n  b: c\r\n"],
  ])("reads %s as a YAML parser does", (_, text) => {
    expect(asText(read(text))).toEqual(asText(parse(text) ?? {}));
  });

  it.each([
    "a: &x b",
    "a: *x",
    "a: !!str b",
    "a: !b c",
    "%YAML 1.2\n---\na: b",
    "a: b\n---\nc: d",
    "a: b\n  c",
    "a: b\na: c",
    "a: {b: c, b: d}",
    "a: {b: c",
    "a: [b",
    "a: {b: c} d",
    'a: "b',
    "a: 'b",
    "a:\n\tb: c",
    "a: b: c",
    "a: @b",
    "a: `b`",
    "a",
    "? a\nb: c",
    "a:\n    b: c\n  d: e",
    "<<: {a: b}\n<<: {c: d}",
    `a: ${"[".repeat(30)}`,
    Array.from({ length: 30 }, (__, index) => `${" ".repeat(index)}a:`).join("\n"),
  ])("refuses %j", (text) => {
    expect(read(text)).toBe("refused");
  });

  it("takes prototype's fields for what was written", () => {
    expect(asText(read("__proto__:\n  a: b\nconstructor: c\n"))).toEqual(asText(JSON.parse('{"__proto__":{"a":"b"},"constructor":"c"}')));
  });

  it("never reads a text otherwise than a YAML parser", () => {
    const piece = constantFrom(
      "a",
      "b",
      ": ",
      ":",
      "\n",
      "\n  ",
      "\n    ",
      "- ",
      "{",
      "}",
      "[",
      "]",
      ",",
      "'",
      '"',
      "#",
      " #",
      " ",
      "?",
      "|",
      ">",
      "&x",
      "*x",
      "!t",
      "1",
      "\\",
      "@",
      "---\n",
    );
    assert(
      property(array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join("");
        const ours = read(text);
        if (ours === "refused") return;
        let theirs: unknown;
        try {
          theirs = parse(text, { schema: "failsafe", logLevel: "silent", maxAliasCount: 0 });
        } catch {
          // Refusing less than the parser refuses would be a second reading.
          throw new Error(`read ${JSON.stringify(text)} as ${JSON.stringify(ours)}, which is no YAML`);
        }
        if (!/[|>]/.test(text)) expect(asText(ours)).toEqual(asText(theirs === null || theirs === "" ? {} : theirs));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("JSON with one reading", () => {
  it("is read as JSON is", () => {
    assert(
      property(jsonValue({ maxDepth: 5 }), (value) => {
        expect(parseJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"b":{"a":1,"c":[],"a":2}}',
    '[{"a":1,"a":1}]',
    '{"a":"\\"","b":1,"a":2}',
    '{"a" \n :1,"a":2}',
    "{",
    "",
    "{'a':1}",
    '{"a":1,}',
    "[".repeat(101) + "]".repeat(101),
  ])("is not %j", (text) => {
    expect(() => parseJson(text)).toThrow(UnreadableError);
  });

  it.each(['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', '["a","a"]', '{"a":"a","b":"a"}', '{"a":"{\\"a\\":1","A":2}', '\ufeff{"a":1}'])(
    "is %j",
    (text) => {
      expect(() => parseJson(text)).not.toThrow();
    },
  );
});

describe("readers", () => {
  const names = [
    "package.json",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "requirements.txt",
    "pyproject.toml",
    "Pipfile",
    "Pipfile.lock",
    "poetry.lock",
    "uv.lock",
    "go.mod",
    "go.sum",
    "Cargo.toml",
    "Cargo.lock",
    "pom.xml",
    "build.gradle",
    "Gemfile",
    "Gemfile.lock",
    "a.gemspec",
    "a.csproj",
    "packages.lock.json",
    "composer.json",
    "composer.lock",
  ];

  it.each(names)("of %s read anything, or say that they cannot", (name) => {
    const reader = readerOf(`some/folder/${name}`);
    if (reader === undefined || reader === "unread") throw new Error(`${name} has no reader`);
    const { value } = letrec((tie) => ({
      value: constantFrom<unknown>(null, 1, "1.0.0", "git+https://x/y", "npm:a@1", [], {}, ["a", { name: "b" }], "^1 || 2"),
      table: dictionary(
        constantFrom(
          "dependencies",
          "packages",
          "package",
          "resolved",
          "version",
          "project",
          "tool",
          "name",
          "",
          "__proto__",
          "node_modules/a",
          "require",
        ),
        tie("value"),
        { maxKeys: 4 },
      ),
    }));
    const table = dictionary(
      constantFrom(
        "dependencies",
        "packages",
        "package",
        "dist",
        "overrides",
        "project",
        "importers",
        "_meta",
        "default",
        "require",
        "scripts",
      ),
      dictionary(string({ maxLength: 3 }), value, { maxKeys: 3 }),
      { maxKeys: 3 },
    );
    assert(
      property(tuple(string(), table), ([text, structure]) => {
        const inputs = [
          text,
          JSON.stringify(structure),
          `<project>${text}</project>`,
          Object.keys(structure)
            .map((key) => `[${key}]\n${text}`)
            .join("\n"),
        ];
        for (const input of inputs) {
          try {
            const { requirements, settings, locked } = reader.read(input);
            for (const one of [...requirements, ...locked]) expect(typeof one.name).toBe("string");
            for (const { value: shown } of settings) expect(typeof shown).toBe("string");
          } catch (error) {
            // What is thrown besides counts as unreadable as well, but says less.
            if (!(error instanceof UnreadableError)) throw error;
          }
        }
      }),
    );
  });

  it.each<[string, boolean]>([
    ["dev-requirements.txt", true],
    ["requirements/test.txt", true],
    ["Requirements.TXT", true],
    ["docs/requirements.md", false],
    ["src/package.json.ts", false],
    ["packages/a/PACKAGE.JSON", true],
    ["robots.txt", false],
    ["Cargo.toml.orig", false],
    ["src/gradle.ts", false],
  ])("of %s: %s", (path, expected) => {
    expect(readerOf(path) !== undefined).toBe(expected);
  });
});
