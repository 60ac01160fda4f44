import { describe, expect, it } from "vitest";
import { findTarget } from "../../../../src/graph/query/find-target.ts";
import { searchSymbols } from "../../../../src/graph/query/search.ts";
import { whyNoTarget } from "../../../../src/graph/show/words.ts";
import { draw } from "./hand-made.ts";

const asked = draw(
  [
    { at: "src/store.ts", name: "Store", kind: "class", exported: true },
    { at: "src/store.ts", name: "Store.save", kind: "method" },
    { at: "src/game.ts", name: "Game", kind: "class" },
    { at: "src/game.ts", name: "Game.save", kind: "method" },
    { at: "src/game.ts", name: "start" },
    { at: "src/other.ts", name: "Game.start", kind: "method" },
    { at: "src/parse.ts", name: "parse" },
    { at: "src/parse.ts", name: "parse" },
    { at: "src/names.ts", name: "toString" },
    { at: "src/names.ts", name: "getUserName" },
  ],
  [[4, "call", 9]],
  { notIndexed: [{ path: "src/logo.ts", why: "it is binary" }] },
);

describe("a symbol is found", () => {
  it.each([
    ["by its class and name", "Store.save", undefined, ["src/store.ts", [1]]],
    ["with two colons", "Store::save", undefined, ["src/store.ts", [1]]],
    ["with a hash and brackets", "Store#save()", undefined, ["src/store.ts", [1]]],
    ["in backticks", "`Store.save`", undefined, ["src/store.ts", [1]]],
    ["as Go writes a method", "(*Store).save", undefined, ["src/store.ts", [1]]],
    ["by its name in one file", "save", "src/game.ts", ["src/game.ts", [3]]],
    ["with the file in front", "src/game.ts:save", undefined, ["src/game.ts", [3]]],
    ["by the whole of its name before the end of another's", "start", undefined, ["src/game.ts", [4]]],
    ["with all its overloads", "parse", undefined, ["src/parse.ts", [6, 7]]],
    ["under a name that objects have", "toString", undefined, ["src/names.ts", [8]]],
    ["as a whole file", "src/names.ts", undefined, ["src/names.ts", [14]]],
  ])("%s", (_, symbol, file, [path, ids]) => {
    const found = findTarget(asked, symbol, file);
    expect(found.status === "found" && [found.target.main.path, found.target.ids]).toEqual([path, ids]);
  });

  it("and others of its name are told of", () => {
    const found = findTarget(asked, "start");
    expect(found.status === "found" && found.target.namesakes.map(({ qualified }) => qualified)).toEqual(["Game.start"]);
  });
});

describe("a symbol is not guessed at", () => {
  it.each([
    [
      "several that have the name",
      "save",
      undefined,
      /save may mean 2 symbols\. Say which.*\n- method Store\.save src\/store\.ts:2\n- method Game\.save src\/game\.ts:4/,
    ],
    ["a name that nobody has", "noSuchThing", undefined, /^No symbol noSuchThing was found: unknown name\. cp_search_symbol/],
    ["a slip", "getUserNme", undefined, /Did you mean getUserName \(src\/names\.ts:10\)\?/],
    [
      "a name of another file",
      "getUserName",
      "src/game.ts",
      /was found in src\/game\.ts: .*Did you mean getUserName \(src\/names\.ts:10\)/,
    ],
    ["a file that is not there", "save", "lib/store.ts", /There is no file lib\/store\.ts .*Did you mean src\/store\.ts\?/],
    ["a file that was not read", "save", "src/logo.ts", /^src\/logo\.ts is not indexed: it is binary\.$/],
    ["a name that would steer a terminal", "a\u001b[31m\nb", undefined, /^No symbol "a\\u001b\[31m\\nb" was found/],
    ["an empty name", "..", undefined, /^No symbol \.\. was found/],
  ])("%s", (_, symbol, file, why) => {
    const found = findTarget(asked, symbol, file);
    expect(found.status === "found" ? "found" : whyNoTarget(found)).toMatch(why);
  });
});

describe("a search", () => {
  const search = (query: string, more: object = {}) =>
    searchSymbols(asked, { query, ...more }).found.map(({ symbol, fit }) => `${symbol.qualified} ${fit}`);
  it.each([
    ["finds the whole name first", "start", {}, ["start exact", "Game.start exact"]],
    ["does not mind the case", "STORE", {}, ["Store case"]],
    ["finds beginnings", "pars", {}, ["parse prefix", "parse prefix"]],
    ["finds words", "name", {}, ["getUserName word"]],
    ["finds initials", "gun", {}, ["getUserName part"]],
    ["finds slips", "getUsrName", {}, ["getUserName near"]],
    ["narrows to a class", "Game.sa", {}, ["Game.save prefix"]],
    ["keeps to a kind", "s", { kind: "class" }, ["Store prefix"]],
    ["keeps to a number", "s", { limit: 2 }, ["Store prefix", "Store.save prefix"]],
    ["finds nothing for nothing", "  ", {}, []],
  ])("%s", (_, query, more, found) => {
    const answer = search(query, more);
    expect(answer.toSorted()).toEqual(found.toSorted());
    expect(answer[0]?.split(" ")[1]).toBe(found[0]?.split(" ")[1]);
  });
});
