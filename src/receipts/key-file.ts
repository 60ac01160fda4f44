import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Keys, makeKey, readKeys } from "./keys.ts";

/**
 * The keys of a server: those of `pem` (the environment's) where it is given, else those of `file`, which is made, readable by its owner alone,
 * when it is not there. @throws {ConfigurationError} for a key that cannot be used.
 */
export async function openKeys({ pem, file }: { readonly pem?: string; readonly file: string }): Promise<Keys> {
  if (pem !== undefined) return readKeys(pem, "SALLYPORT_RECEIPT_KEY");
  return readKeys((await readIfThere(file)) ?? (await makeFile(file)), file);
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
}

/** Made aside and linked: of two processes that start at once, both end with the same key. */
async function makeFile(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(aside, makeKey(), { mode: 0o600, flag: "wx" });
    await link(aside, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
  } finally {
    await rm(aside, { force: true });
  }
  return readFile(file, "utf8");
}
