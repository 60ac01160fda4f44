/** What steers a terminal, changes the direction or shows nothing; line ends and tabs aside, and joiners that scripts and emoji need. */
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const STEERING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * What a command prints, as it may come to a terminal: names, texts and errors in it can be anybody's. Each steering character is spelt
 * `\u009b`, which in JSON means the same as the character itself.
 */
export function inertOutput(text: string): string {
  return text.replace(STEERING, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}
