import type { z } from "zod";
import type { Ignored, RunRequest } from "../core/run.ts";
import { request, type Context } from "./accept.ts";
import type { issueEvent } from "./payload.ts";

/**
 * A new issue that does not mention the bot. Whether the repository has such issues looked at (`triggers.issues`) is asked when the request is
 * accepted. Nobody has asked the bot for anything, so it is quiet until it has something to say.
 */
export function newIssue(payload: z.infer<typeof issueEvent>, context: Context): RunRequest | Ignored {
  const { issue } = payload;
  const made = request(
    payload,
    context,
    {
      author: issue.user,
      via: issue.performed_via_github_app?.id,
      words: issue.body,
      source: { kind: "issue", id: issue.number },
      thread: { kind: "issue", number: issue.number },
      about: issue,
    },
    "",
  );
  return "ignored" in made ? made : { ...made, trigger: "triage", unasked: true, quiet: true };
}
