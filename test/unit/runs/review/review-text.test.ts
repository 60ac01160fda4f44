import { describe, expect, test } from "vitest";
import { reviewText } from "../../../../src/runs/review/review-text.ts";
import { policy } from "../../text/outgoing/fixtures.ts";

const MOST = 65_536;
const long = (at: number): string => `Remark ${at}. ${"It goes on and on. ".repeat(300)}`;
const remark = (at: number, text: string) => ({ path: `src/${at}.js`, text: `**\`src/${at}.js:${at}\`**\n\n${text}` });

describe("remarks in a review's body", () => {
  test("are all there, whole, where there is room", () => {
    const inBody = [remark(1, "One."), remark(2, long(2))];
    const text = reviewText({ words: "My summary.", verdict: undefined, inBody }, [], policy);
    expect(text).toContain(long(2).trim());
    expect(text).not.toContain("[cut:");
  });

  test("keep each its place and its beginning where there are more than a body holds: no one hides those behind it", () => {
    const inBody = Array.from({ length: 200 }, (_, at) => remark(at, long(at)));
    const text = reviewText({ words: "My summary. ".repeat(5000), verdict: "REQUEST_CHANGES", inBody }, [], policy);
    expect(text.length).toBeLessThan(MOST);
    for (let at = 0; at < 200; at += 1) expect(text).toContain(`src/${at}.js:${at}\`**\n\nRemark ${at}. It goes on`);
    expect(text).toContain("requests changes");
  });

  test("that are short lose nothing to long ones", () => {
    const inBody = [
      remark(1, "x ".repeat(60_000)),
      remark(2, "Two."),
      remark(3, "y ".repeat(60_000)),
      remark(4, `Four. ${"z ".repeat(300)}end`),
    ];
    const text = reviewText({ words: "", verdict: undefined, inBody }, [], policy);
    expect(text).toMatch(/Two\.[\s\S]*Four\. (?:z )+end/);
    expect(text.match(/the rest of the remark/g)).toHaveLength(2);
    expect(text.length).toBeGreaterThan(50_000);
  });
});
