import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskShapes } from "../../../../src/gate/secrets/mask-shapes.ts";

/** Made here, so that no file holds anything of this shape. */
const TOKEN = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
const KIND = ["RSA", "PRIVATE", "KEY"].join(" ");
const key = () => {
  const body = randomBytes(600)
    .toString("base64")
    .replace(/(.{64})/g, "$1\n");
  return `-----BEGIN ${KIND}-----\n${body}\n-----END ${KIND}-----`;
};

describe("a text that is shown", () => {
  it("holds no token", () => {
    expect(maskShapes(`before ${TOKEN} between ${TOKEN}\nafter`)).toBe("before *** between ***\nafter");
  });

  it("holds no private key, whole or cut off", () => {
    const whole = key();
    expect(maskShapes(`a\n${whole}\nb`)).toBe("a\n***\nb");
    expect(maskShapes(`a\n${whole.slice(0, 400)}`)).toBe("a\n***");
  });

  it("is the same when it holds no secret", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("npm", "ERR!", "sum.ts:3:5", "-----", "expected", "\n", " ", "…")), (words) => {
        const text = words.join("");
        expect(maskShapes(text)).toBe(text);
      }),
    );
  });

  it("holds none wherever it stands", () => {
    fc.assert(
      fc.property(fc.lorem(), fc.lorem(), (before, after) => {
        expect(maskShapes(`${before} ${TOKEN} ${after}`)).toBe(`${before} *** ${after}`);
      }),
    );
  });
});
