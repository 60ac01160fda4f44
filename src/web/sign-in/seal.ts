import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** What a sealed text is for: one that was made for something else does not open. */
export type Purpose = "session" | "sign-in" | "form";

/** Texts that browsers keep for us and cannot change. They can be read: nothing secret goes in. */
export interface Seal {
  /** Good for `seconds`. */
  close(purpose: Purpose, text: string, seconds: number): string;
  /** What was sealed for this purpose and is still good; undefined for everything else. */
  open(purpose: Purpose, sealed: string): string | undefined;
}

/** No sealed text is longer, in characters. */
const LONGEST = 2_000;

/** `secret` is the same in every process of a fleet; the key is derived from it and says nothing about it. */
export function createSeal(secret: string, now: () => number = Date.now): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "sallyport dashboard", 32));
  const sign = (purpose: Purpose, body: string): Buffer => createHmac("sha256", key).update(`${purpose}\n${body}`).digest();
  return {
    close(purpose, text, seconds) {
      const body = `${Math.floor(now() / 1000) + seconds}.${Buffer.from(text).toString("base64url")}`;
      return `${body}.${sign(purpose, body).toString("base64url")}`;
    },
    open(purpose, sealed) {
      const [, body = "", until = "", text = "", signature = ""] =
        sealed.length > LONGEST ? [] : (/^((\d{1,12})\.([\w-]*))\.([\w-]{43})$/.exec(sealed) ?? []);
      if (body === "" || !timingSafeEqual(sign(purpose, body), Buffer.from(signature, "base64url"))) return undefined;
      return Number(until) * 1000 > now() ? Buffer.from(text, "base64url").toString() : undefined;
    },
  };
}
