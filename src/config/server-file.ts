import { readFileSync } from "node:fs";
import { ConfigurationError, messageOf } from "../core/errors.ts";
import type { FileSettings } from "./file-schema.ts";
import { readGoodLayer } from "./read-layer.ts";

/**
 * The server's own layer, from the file that `SALLYPORT_CONFIG` names; an empty one when it names none.
 * @param file absolute
 * @throws {ConfigurationError} in one line that names the variable, and file, line and key where something in the file is wrong.
 */
export function readServerFile(file: string | undefined): FileSettings {
  if (file === undefined) return {};
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigurationError(`SALLYPORT_CONFIG names a file that cannot be read: ${messageOf(error)}.`, {
      code: "bad-environment",
      hint: "Give the path of the server's configuration file, or unset it.",
      cause: error,
    });
  }
  try {
    return readGoodLayer(text, file, "server");
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`SALLYPORT_CONFIG names a file with a fault: ${error.message}`, {
      code: "bad-environment",
      hint: "Mend it, then start again.",
      cause: error,
    });
  }
}
