import { decisionResult, type Extension, type ToolBinding } from "sallyport";

const SECTIONS = ["Added", "Changed", "Fixed", "Removed"];

/** A plain handler with a JSON Schema, whose answers are texts; what it writes passes the gate. */
const addEntry: ToolBinding<"write"> = {
  name: "changelog_entry",
  description: "Adds one line to the unreleased part of CHANGELOG.md.",
  parameters: {
    type: "object",
    properties: {
      section: { type: "string", enum: SECTIONS },
      line: { type: "string", description: "What changed, for those who use it.", minLength: 3, maxLength: 200 },
    },
    required: ["section", "line"],
    additionalProperties: false,
  },
  effect: "write",
  async handler({ section, line }, context) {
    const [found] = await context.files.list("CHANGELOG.md");
    if (found === undefined) return "[error] This repository has no CHANGELOG.md.";
    const before = new TextDecoder().decode(await context.files.read(found));
    const after = withEntry(before, String(section), String(line));
    if (after === before) return "[error] That line stands there already.";
    const decision = await context.writeFile(found, new TextEncoder().encode(after));
    // `[blocked] <rule>: <why>` for a write that the gate does not let through.
    return decisionResult(decision, `Added under ${String(section)}.`);
  },
};

export default {
  name: "changelog-entry",
  register(bot) {
    bot.addTool(addEntry);
  },
} satisfies Extension;

function withEntry(text: string, section: string, line: string): string {
  const entry = `- ${line.trim()}`;
  if (text.split("\n").includes(entry)) return text;
  const head = "## Unreleased";
  const [top = "", rest = ""] = text.includes(head) ? split(text, head) : [`${text.trimEnd()}\n\n`, "\n"];
  const end = rest.search(/^## /m);
  const [unreleased, released] = end < 0 ? [rest, ""] : [rest.slice(0, end), rest.slice(end)];
  const title = `### ${section}`;
  const [before, after] = unreleased.includes(title) ? split(unreleased, title) : [`${unreleased.trimEnd()}\n\n`, "\n"];
  return `${top}${head}${before}${title}\n\n${entry}\n${after.replace(/^\n+/, "")}${released === "" ? "" : `\n${released}`}`;
}

function split(text: string, at: string): readonly [before: string, after: string] {
  const place = text.indexOf(at);
  return [text.slice(0, place), text.slice(place + at.length)];
}
