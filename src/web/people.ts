import type { IncomingMessage } from "node:http";
import type { Logger } from "../core/log.ts";
import type { Database } from "../store/sql.ts";
import type { Access } from "./access.ts";
import type { Answer } from "./answer.ts";
import { createApprovals, type AnswersPort } from "./approvals/approvals.ts";
import type { ReadBase } from "./changes/file-diff.ts";
import type { NavLink } from "./layout.ts";
import { createSeal } from "./sign-in/seal.ts";
import { createSignInDoor, type SignInPort } from "./sign-in/sign-in.ts";

/** What is needed so that people can answer on the dashboard. */
export interface PeopleOptions {
  readonly database: Database;
  readonly answers: AnswersPort;
  /** The same in every process of a fleet; keys are derived from it. */
  readonly secret: string;
  /** Absent where the App's client id and secret are not configured: then only the operator answers here. */
  readonly signIn?: SignInPort | undefined;
}

/** The part of the dashboard that knows who somebody is. */
export interface People {
  /** Undefined for what is no page of this part, or not for whoever asks. */
  answer(
    path: string,
    request: IncomingMessage,
    given: { readonly access: Access; readonly parameters: URLSearchParams },
  ): Promise<Answer | undefined>;
  /** Whether somebody signed in sends this: they may have the stylesheet. */
  isKnown(request: Pick<IncomingMessage, "headers">): boolean;
}

interface Surroundings {
  readonly mask: (text: string) => string;
  readonly links: readonly NavLink[];
  readonly readBase?: ReadBase;
  readonly now: () => number;
  readonly log: Logger;
}

export function createPeople({ database, answers, secret, signIn: port }: PeopleOptions, around: Surroundings): People {
  const { now, log } = around;
  const seal = createSeal(secret, now);
  const signIn = port === undefined ? undefined : createSignInDoor({ port, seal, log });
  const approvals = createApprovals({ ...around, database, answers, seal, ...(signIn === undefined ? {} : { signIn }) });
  return {
    async answer(path, request, { access, parameters }) {
      // Who is kept out for where they come from cannot sign in either.
      const mayKnock = access.ok || access.status === 401;
      const met = mayKnock ? await signIn?.answer(path, request, parameters) : undefined;
      return met ?? (mayKnock ? approvals(path, request, { access, parameters }) : undefined);
    },
    isKnown: (request) => signIn?.personOf(request) !== undefined,
  };
}
