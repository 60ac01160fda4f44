import { describe, expect, it } from "vitest";
import { createPictureFetch } from "../../../../src/github/pictures/fetch-picture.ts";
import { embedded } from "../embedded.ts";

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(100, 7)]);
const shown = { status: "picture", image: { mediaType: "image/png", base64: PNG.toString("base64") } };

describe("a picture of a thread", () => {
  it("that all may see is fetched without the token", async () => {
    const { github, session } = await embedded();
    expect(await session.picture(github.addAttachment(PNG))).toEqual(shown);
    const asked = github.requests.filter(({ path }) => path.startsWith("/user-attachments/"));
    expect(asked.map(({ auth }) => auth)).toEqual(["none"]);
    expect(github.storageRequests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it("that is private is asked for with the token, which stays with GitHub", async () => {
    const { github, session } = await embedded();
    expect(await session.picture(github.addAttachment(PNG, { isPrivate: true }))).toEqual(shown);
    const asked = github.requests.filter(({ path }) => path.startsWith("/user-attachments/"));
    expect(asked.map(({ auth }) => auth)).toEqual(["none", "installation"]);
    expect(github.storageRequests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it.each([
    ["too large", Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]), /larger than 1 MB/],
    ["no picture", Buffer.from("<html>"), /no PNG, JPEG, GIF or WebP/],
    ["empty", Buffer.alloc(0), /no PNG/],
  ])("that is %s is none, and it is said why", async (_, bytes, why) => {
    const { github, session } = await embedded();
    expect(await session.picture(github.addAttachment(bytes))).toEqual({ status: "none", why: expect.stringMatching(why) as string });
  });

  it.each([
    ["another host", () => "https://evil.example/a.png"],
    ["another port of this one", (origin: string) => origin.replace(/:\d+$/, ":1/user-attachments/assets/a")],
    ["the API", (origin: string) => `${origin}/api/v3/user`],
    ["no address", () => "https://["],
  ])("at %s is not even asked for", async (_, addressOf) => {
    const { github, session } = await embedded();
    expect(await session.picture(addressOf(github.origin))).toMatchObject({
      status: "none",
      why: expect.stringMatching(/no|not/) as string,
    });
    expect(github.requests).toEqual([]);
  });

  it("is not followed to a host that is not GitHub's", async () => {
    const { github, session } = await embedded();
    const address = github.addAttachment(PNG);
    github.fault({ match: "GET /user-attachments/**", respond: { status: 302, headers: { location: "http://localhost:1/internal" } } });
    expect(await session.picture(address)).toEqual({ status: "none", why: "GitHub redirects to a place that is not its own" });
  });

  it("is not followed in a circle", async () => {
    const { github, session } = await embedded();
    const address = github.addAttachment(PNG);
    github.fault({ match: "GET /user-attachments/**", respond: { status: 302, headers: { location: address } } });
    expect(await session.picture(address)).toMatchObject({ status: "none" });
    expect(github.requests.length).toBeLessThanOrEqual(4);
  });

  it.each([
    ["is gone", { status: 404 } as const, "GitHub answered 404"],
    ["breaks off", "reset" as const, /could not be fetched/],
  ])("that %s is said, and fails nothing", async (_, respond, why) => {
    const { github, session } = await embedded();
    const address = github.addAttachment(PNG);
    github.fault({ match: "GET /user-attachments/**", respond });
    expect(await session.picture(address)).toEqual({
      status: "none",
      why: typeof why === "string" ? why : (expect.stringMatching(why) as string),
    });
  });

  it("that sends more than it said is given up at the limit", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(Buffer.concat([PNG, Buffer.alloc(65_536)]));
      },
    });
    const fetch = () => Promise.resolve(new Response(endless));
    const picture = createPictureFetch({ fetch, origin: "https://github.com", token: () => Promise.reject(new Error("not asked")) });
    expect(await picture("https://github.com/user-attachments/assets/a")).toEqual({ status: "none", why: "it is larger than 1 MB" });
    expect(sent).toBeLessThan(30);
  });
});
