import { AttemptError, ConfigurationError, messageOf, SallyportError } from "../core/errors.ts";

/** A hook of an extension broke its contract while a run was made: the run ends as failed and says so. */
export class ExtensionFault extends AttemptError {}

/** The fault of an extension, as people and the log read it. `what` names the hook. */
export function faultOf(owner: string, what: string, cause: unknown): ExtensionFault {
  const why = typeof cause === "string" ? cause : `failed: ${firstLine(cause)}`;
  return new ExtensionFault(`${what} of the extension ${owner} ${why}.`, {
    code: "extension-fault",
    hint: "The bot's operator mends the extension, or takes it out of the server's configuration.",
    cause,
  });
}

/** Why an extension cannot be loaded, in one line. */
export function cannotLoad(name: string, cause: unknown): ConfigurationError {
  const why = typeof cause === "string" ? cause : firstLine(cause);
  const hint = cause instanceof SallyportError ? cause.hint : undefined;
  return new ConfigurationError(`The extension ${name} cannot be loaded: ${why}`, {
    code: "bad-extension",
    hint: hint ?? "Mend it, or take it out of SALLYPORT_EXTENSIONS and of extensions.modules in the server's file.",
    cause,
  });
}

function firstLine(cause: unknown): string {
  return messageOf(cause).split("\n", 1)[0] ?? "";
}
