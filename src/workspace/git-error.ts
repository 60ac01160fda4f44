import { SallyportError } from "../core/errors.ts";

/** How a call of git came to nothing. `exitCode` and `stderr` are set when git itself ended; `stderr` holds no credentials. */
export class GitError extends SallyportError {
  readonly exitCode: number | undefined;
  readonly stderr: string;

  constructor(
    message: string,
    options: {
      readonly code: string;
      readonly hint?: string;
      readonly cause?: unknown;
      readonly exitCode?: number;
      readonly stderr?: string;
    },
  ) {
    super(message, options);
    this.exitCode = options.exitCode;
    this.stderr = options.stderr ?? "";
  }
}

/** Text of git that people and models may read: the user part of URLs and the given secrets are taken out, control characters too. */
export function cleanGitText(text: string, secrets: readonly string[] = []): string {
  let clean = text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, "$1");
  for (const secret of secrets) {
    if (secret !== "") clean = clean.replaceAll(secret, "***");
  }
  return clean.replace(/[^\P{Cc}\n\t]/gu, "").trim();
}
