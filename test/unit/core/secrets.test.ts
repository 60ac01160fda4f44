import { expect, it } from "vitest";
import { holdSecrets } from "../../../src/core/secrets.ts";

const KEY = "-----BEGIN KEY-----\nMIIEowIBAAKCAQEAx0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0\n-----END KEY-----\n";

it("takes held values out of a text wherever they stand", () => {
  const held = holdSecrets(["hunter2-hunter2"]);
  held.add("ghs_0123456789abcdefghij");
  expect(held.mask("a hunter2-hunter2 b ghs_0123456789abcdefghij c")).toBe("a *** b *** c");
});

it("finds a key of several lines inside JSON and line by line", () => {
  const held = holdSecrets([KEY]);
  expect(held.mask(JSON.stringify({ key: KEY }))).toBe('{"key":"***"}');
  expect(held.mask(`found ${KEY.split("\n")[1]}`)).toBe("found ***");
});

it("leaves ordinary words alone when a secret is short or missing", () => {
  expect(holdSecrets(["abc", undefined, ""]).mask("abc is a word")).toBe("abc is a word");
});
