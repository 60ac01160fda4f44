import { forgetFact, keepFact } from "../../store/memory.ts";
import { codeSpan } from "../../text/code-span.ts";
import { done, failed, type Act } from "./act.ts";
import { withWords } from "./as-run.ts";

/** Keeps what a run of this thread noted under the key that is named; other words become a run that notes them. */
export const remember: Act = async (context, argument, command) => {
  const { database, thread, request } = context;
  const key = argument?.trim() ?? "";
  const kept = await keepFact(database, { repositoryId: request.repository.id, thread, key, by: request.actor });
  switch (kept.status) {
    case "kept":
      return done(`Later runs know ${codeSpan(key)}: ${codeSpan(kept.fact.value ?? "", 2000)}.`);
    case "forgotten":
      return done(`Later runs do not know ${codeSpan(key)} any more.`);
    case "several":
      return failed(`Runs of this thread noted different things under ${codeSpan(key)}. Say what is right, as a new fact.`);
    case "full":
      return failed(`This repository has ${kept.most} facts already. Let one be forgotten first.`);
    case "unknown":
      return withWords("remember")(context, argument, command);
  }
};

/** Forgets the fact with the key that is named; other words become a run that finds out which is meant. */
export const forget: Act = async (context, argument, command) => {
  const { database, request } = context;
  const key = argument?.trim() ?? "";
  const was = await forgetFact(database, { repositoryId: request.repository.id, key });
  return was ? done(`Later runs do not know ${codeSpan(key)} any more.`) : withWords("forget")(context, argument, command);
};
