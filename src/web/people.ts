import type { IncomingMessage } from "node:http";
import type { Logger } from "../core/log.ts";
import type { Database } from "../store/sql.ts";
import type { Access } from "./access.ts";
import type { Answer } from "./answer.ts";
import { createApprovals, type AnswersPort } from "./approvals/approvals.ts";
import type { ReadBase } from "./changes/file-diff.ts";
import type { Html } from "./html.ts";
import type { NavLink } from "./layout.ts";
import { renderReplayButton } from "./replay/replay-page.ts";
import { createReplayDoor, formOfReplay, type ReplayPort } from "./replay/replay.ts";
import { createSeal } from "./sign-in/seal.ts";
import { createSignInDoor, type SignInPort } from "./sign-in/sign-in.ts";
import { createViewers } from "./sign-in/viewer.ts";

/** What is needed so that people can answer on the dashboard. */
export interface PeopleOptions {
  readonly database: Database;
  readonly answers: AnswersPort;
  readonly replays: ReplayPort;
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
  /** The way from a run's page to its replay, for whoever looks at it. */
  replayButton(run: string, request: IncomingMessage, access: Access): Html | undefined;
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

export function createPeople({ database, answers, replays, secret, signIn: port }: PeopleOptions, around: Surroundings): People {
  const { now, log, links, mask } = around;
  const seal = createSeal(secret, now);
  const signIn = port === undefined ? undefined : createSignInDoor({ port, seal, log });
  const door = signIn === undefined ? {} : { signIn };
  const viewers = createViewers({ seal, links, ...door });
  const approvals = createApprovals({ ...around, database, answers, viewers, ...door });
  const replay = createReplayDoor({ database, replays, viewers, mask });
  return {
    async answer(path, request, { access, parameters }) {
      // Who is kept out for where they come from cannot sign in either.
      const mayKnock = access.ok || access.status === 401;
      const met = mayKnock ? await signIn?.answer(path, request, parameters) : undefined;
      if (met !== undefined || !mayKnock) return met;
      return (await replay(path, request, access)) ?? approvals(path, request, { access, parameters });
    },
    replayButton(run, request, access) {
      const viewer = viewers.of(request, access, formOfReplay(run));
      return viewer === undefined ? undefined : renderReplayButton(viewer, run);
    },
    isKnown: (request) => signIn?.personOf(request) !== undefined,
  };
}
