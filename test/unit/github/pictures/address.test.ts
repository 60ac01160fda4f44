import { describe, expect, it } from "vitest";
import { isPictureAddress, isPictureStorage } from "../../../../src/github/pictures/address.ts";
import { mediaTypeOf } from "../../../../src/github/pictures/media-type.ts";

const DOTCOM = "https://github.com";
const ENTERPRISE = "https://github.acme.example";

describe("a picture's address", () => {
  it.each([
    [DOTCOM, "https://github.com/user-attachments/assets/0a1b2c3d-0000-4000-8000-000000000000"],
    [DOTCOM, "https://github.com/acme/widgets/assets/123/0a1b2c3d-0000"],
    [DOTCOM, "https://user-images.githubusercontent.com/1/2-3.png"],
    [DOTCOM, "https://private-user-images.githubusercontent.com/1/2.png?jwt=x"],
    [DOTCOM, "https://raw.githubusercontent.com/acme/widgets/main/docs/a.png"],
    [ENTERPRISE, "https://github.acme.example/user-attachments/assets/0a1b"],
    [ENTERPRISE, "https://github.acme.example/storage/user/1/files/0a1b"],
    [ENTERPRISE, "https://media.github.acme.example/user/1/files/0a1b"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/user-attachments/assets/0a1b"],
  ])("of %s may be %s", (origin, address) => {
    expect(isPictureAddress(new URL(address), origin)).toBe(true);
  });

  it.each([
    [DOTCOM, "http://github.com/user-attachments/assets/0a1b"],
    [DOTCOM, "https://github.com:8443/user-attachments/assets/0a1b"],
    [DOTCOM, "https://user:pass@github.com/user-attachments/assets/0a1b"],
    [DOTCOM, "https://github.com/user-attachments/assets/../../settings"],
    [DOTCOM, "https://github.com/user-attachments/assets/a/../../../logout"],
    [DOTCOM, "https://github.com/acme/widgets/blob/main/a.png"],
    [DOTCOM, "https://github.com/logout"],
    [DOTCOM, "https://github.com.evil.example/user-attachments/assets/0a1b"],
    [DOTCOM, "https://camo.githubusercontent.com/0a1b/68747470"],
    [DOTCOM, "https://avatars.githubusercontent.com/u/1"],
    [DOTCOM, "https://evil.user-images.githubusercontent.com/1.png"],
    [DOTCOM, "https://user-images.githubusercontent.com.evil.example/1.png"],
    [DOTCOM, "https://github.com@evil.example/user-attachments/assets/0a1b"],
    [DOTCOM, "https://169.254.169.254/latest/meta-data"],
    [DOTCOM, "https://127.0.0.1/user-attachments/assets/0a1b"],
    [ENTERPRISE, "https://github.com/user-attachments/assets/0a1b"],
    [ENTERPRISE, "https://user-images.githubusercontent.com/1/2.png"],
    [ENTERPRISE, "https://media.evil.example/user/1/files/0a1b"],
    [ENTERPRISE, "https://github.acme.example/api/v3/user"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3001/user-attachments/assets/0a1b"],
  ])("of %s may not be %s", (origin, address) => {
    expect(isPictureAddress(new URL(address), origin)).toBe(false);
  });

  it.each([
    [DOTCOM, "https://github-production-user-asset-6210df.s3.amazonaws.com/1/2?X-Amz-Signature=x", true],
    [DOTCOM, "https://private-user-images.githubusercontent.com/1/2.png?jwt=x", true],
    [DOTCOM, "https://camo.githubusercontent.com/0a1b", false],
    [DOTCOM, "https://evil.s3.amazonaws.com/github-production-user-asset-6210df", false],
    [DOTCOM, "http://private-user-images.githubusercontent.com/1/2.png", false],
    [DOTCOM, "https://10.0.0.1/", false],
    [ENTERPRISE, "https://media.github.acme.example/x", true],
    [ENTERPRISE, "https://evilgithub.acme.example/x", false],
    [ENTERPRISE, "http://github.acme.example/x", false],
  ])("of %s may lead on to %s: %s", (origin, address, expected) => {
    expect(isPictureStorage(new URL(address), origin)).toBe(expected);
  });
});

describe("a picture's kind", () => {
  const bytes = (text: string) => Buffer.from(text, "latin1");
  it.each([
    ["image/png", "\x89PNG\r\n\x1a\n…"],
    ["image/jpeg", "\xff\xd8\xff\xe0"],
    ["image/gif", "GIF89a"],
    ["image/gif", "GIF87a"],
    ["image/webp", "RIFF\x10\0\0\0WEBPVP8 "],
    [undefined, "<svg xmlns='http://www.w3.org/2000/svg'>"],
    [undefined, "RIFF\x10\0\0\0WAVE"],
    [undefined, "<!DOCTYPE html>"],
    [undefined, "\x89PN"],
    [undefined, ""],
  ])("is %s for %j", (expected, text) => {
    expect(mediaTypeOf(bytes(text))).toBe(expected);
  });
});
