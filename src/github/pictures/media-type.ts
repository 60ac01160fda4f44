import type { Image } from "../../core/conversation.ts";

const ascii = (text: string): readonly number[] => Array.from(Buffer.from(text, "latin1"));

/** What a picture's first bytes say that it is: a server's word for it is not asked. Undefined for everything that models do not take. */
export function mediaTypeOf(bytes: Uint8Array): Image["mediaType"] | undefined {
  const starts = (expected: readonly number[], at = 0): boolean => expected.every((byte, index) => bytes[at + index] === byte);
  if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "image/png";
  if (starts([0xff, 0xd8, 0xff])) return "image/jpeg";
  if (starts(ascii("GIF87a")) || starts(ascii("GIF89a"))) return "image/gif";
  return starts(ascii("RIFF")) && starts(ascii("WEBP"), 8) ? "image/webp" : undefined;
}
