import type { Command, CommandName } from "../core/run.ts";
import { stripHidden } from "../text/hidden.ts";
import { nearest } from "../text/nearest.ts";

/**
 * How a command is told from a sentence that begins with its word ("stop the server from crashing" is a request like any other).
 * `alone`: the word is all there is. `line`: it is all there is on the first line; what follows are words of explanation.
 * `id`: one id behind it, and nothing else. `words`: free words may follow it.
 */
type Form = "alone" | "line" | "id" | "words";

const FORMS: Readonly<Record<CommandName, Form>> = {
  help: "line",
  plan: "words",
  go: "alone",
  review: "line",
  explain: "line",
  describe: "line",
  stop: "line",
  retry: "alone",
  usage: "line",
  approve: "id",
  deny: "id",
  mute: "line",
  unmute: "line",
  remember: "words",
  forget: "words",
  ignore: "line",
  tests: "line",
  changelog: "line",
};
const NAMES = Object.keys(FORMS) as CommandName[];
/** Words of two letters are near to each other whatever they mean. */
const GUESSED = NAMES.filter((name) => name.length > 2);

/** An approval's id as it is written and spoken: two words of five letters. */
const APPROVAL_ID = /^[a-z]{5}-[a-z]{5}$/i;
const LONGEST_ARGUMENT = 4_000;

/**
 * The command that a request is; undefined for all that is a request in words. `text` is what was said to the bot, quotes aside. The command
 * stands directly behind the handle, with which the request must begin: in the middle of a text it is only talked about.
 */
export function parseCommand(text: string, handle: string): Command | undefined {
  const said = stripHidden(text).trim();
  const spoken = afterHandle(said, handle);
  if (spoken === undefined) return undefined;
  const [, first = "", rest = ""] = /^([^\n]*)\n?([\s\S]*)$/.exec(spoken) ?? [];
  const line = withoutCourtesy(first.replaceAll("\r", ""));
  const [word = "", ...others] = line.split(/[ \t]+/);
  const name = NAMES.find((one) => one === word.toLowerCase().replace(/:$/, ""));
  if (name === undefined) return others.length === 0 && rest.trim() === "" ? misspelt(word) : undefined;
  const behind = line.slice(word.length).trim();
  switch (FORMS[name]) {
    case "alone":
      return behind === "" && rest.trim() === "" ? { name } : undefined;
    case "line":
      return behind === "" ? { name, ...argumentOf(rest) } : undefined;
    case "words":
      return { name, ...argumentOf(`${behind}\n${rest}`) };
    case "id":
      return answer(name, behind, rest.trim());
  }
}

/**
 * An answer to a question counts only when it is nothing but the answer: conditions ("approve kodim-pabuf once CI is green") are for people.
 * Where an id was meant, it is a command all the same, so that its author is told how to say it.
 */
function answer(name: CommandName, behind: string, rest: string): Command | undefined {
  const [id = "", ...others] = behind.replaceAll("`", "").split(/[ \t]+/);
  if (others.length === 0 && rest === "") return { name, ...argumentOf(id) };
  return APPROVAL_ID.test(id) ? { name } : undefined;
}

function argumentOf(text: string): { readonly argument?: string } {
  const argument = text.trim();
  return argument === "" ? {} : { argument: argument.slice(0, LONGEST_ARGUMENT).toWellFormed() };
}

/** What follows the handle at the very beginning; undefined where the text begins otherwise. */
function afterHandle(text: string, handle: string): string | undefined {
  const wanted = `@${handle.toLowerCase()}`;
  if (text.slice(0, wanted.length).replace(/[A-Z]/g, (letter) => letter.toLowerCase()) !== wanted) return undefined;
  const rest = text.slice(wanted.length).replace(/^\[bot\]/, "");
  return /^[,:]?[ \t]+\S/.test(rest) ? rest.replace(/^[,:]?[ \t]+/, "") : undefined;
}

function withoutCourtesy(line: string): string {
  return line
    .trim()
    .replace(/^please[ \t]+/i, "")
    .replace(/[ \t]*[.!]+$/, "")
    .replace(/,?[ \t]+please$/i, "");
}

function misspelt(word: string): Command | undefined {
  if (!/^[a-z]{3,20}$/i.test(word)) return undefined;
  const found = nearest(word, GUESSED);
  const name = GUESSED.find((one) => one === found);
  return name === undefined ? undefined : { name: "unknown", word: word.toLowerCase(), nearest: name };
}
