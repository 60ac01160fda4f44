import { SallyportError } from "../../core/errors.ts";

/** What is to be written. */
export interface Answers {
  readonly as: "app" | "action";
  readonly review: boolean;
  readonly ci: "fix" | "explain" | "off";
  /** The command that tests the repository; undefined leaves it to be found out by each run. */
  readonly test: string | undefined;
  /** Undefined leaves it to the server, or to the Action. */
  readonly model: string | undefined;
}

/** What was said on the command line, as it was said. */
export type Given = Readonly<Record<keyof Answers, string | undefined>>;

/** Asks one question; an empty line means `otherwise`, which is shown. */
export type Ask = (question: string, otherwise: string) => Promise<string>;

interface Question<Key extends keyof Answers> {
  readonly asks: string;
  /** What may be answered, for people. */
  readonly expects: string;
  /** Undefined for an answer that cannot be meant. */
  readonly read: (text: string) => { readonly value: Answers[Key] } | undefined;
}

const oneOf =
  <const T extends string>(...known: readonly T[]) =>
  (text: string): { readonly value: T } | undefined => {
    const value = known.find((word) => word === text.toLowerCase());
    return value === undefined ? undefined : { value };
  };

const optional = (pattern: RegExp) => (text: string) => {
  if (text === "" || text === "-") return { value: undefined };
  return pattern.test(text) ? { value: text } : undefined;
};

const QUESTIONS: { readonly [Key in keyof Answers]: Question<Key> } = {
  as: { asks: "Run it as an App with a server, or as an Action without one?", expects: "app or action", read: oneOf("app", "action") },
  review: {
    asks: "Review pull requests by itself?",
    expects: "yes or no",
    read: (text) => (/^(?:y|yes|n|no)$/i.test(text) ? { value: /^y/i.test(text) } : undefined),
  },
  ci: {
    asks: "When CI fails: fix it, explain it, or leave it (off)?",
    expects: "fix, explain or off",
    read: oneOf("fix", "explain", "off"),
  },
  test: {
    asks: "How are its tests run? (- to let each run find out)",
    expects: "a command on one line",
    read: optional(/^[^\0-\x1f\x7f]{1,500}$/),
  },
  model: {
    asks: "Which model? (- for the server's, or the Action's default)",
    expects: "a model's name",
    read: optional(/^[\w./:@-]{1,100}$/),
  },
};

export interface AnswersOptions {
  readonly given: Given;
  /** What is taken where nobody says otherwise. */
  readonly defaults: Readonly<Record<keyof Answers, string>>;
  /** Absent where the defaults are taken without asking. */
  readonly ask?: Ask;
  readonly complain: (line: string) => void;
}

/**
 * The answers: those given on the command line, the others asked for one after the other, or taken from the defaults.
 * @throws {SallyportError} `misused`, naming the option, for a given one that cannot be meant.
 */
export async function collectAnswers({ given, defaults, ask, complain }: AnswersOptions): Promise<Answers> {
  const answer = async <Key extends keyof Answers>(key: Key): Promise<Answers[Key]> => {
    const { asks, expects, read } = QUESTIONS[key];
    const said = given[key];
    const taken = read((said ?? defaults[key]).trim());
    if (said !== undefined || ask === undefined) {
      if (taken !== undefined) return taken.value;
      throw new SallyportError(`--${key} ${JSON.stringify(said ?? defaults[key])} is not understood: expected ${expects}.`, {
        code: "misused",
      });
    }
    for (;;) {
      const heard = read((await ask(asks, defaults[key])).trim() || defaults[key]);
      if (heard !== undefined) return heard.value;
      complain(`Please answer with ${expects}.`);
    }
  };
  return {
    as: await answer("as"),
    review: await answer("review"),
    ci: await answer("ci"),
    test: await answer("test"),
    model: await answer("model"),
  };
}
