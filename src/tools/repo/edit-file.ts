import { z } from "zod";
import { failed } from "../../core/result.ts";
import { decisionResult } from "../decision-result.ts";
import { defineTool } from "../define-tool.ts";
import { restoreHidden } from "../show-hidden.ts";
import { showPath } from "../show-path.ts";
import { pathText, text } from "../tool-arguments.ts";
import { type Edit, type EditOutcome, applyEdit } from "./apply-edit.ts";
import { changeTarget } from "./find-target.ts";

/** UTF-16 units. */
const LONGEST_STRING = 200_000;

export const editFile = defineTool({
  name: "edit_file",
  description:
    "Replaces one text in a file by another, byte for byte. old_string must stand in the file exactly once (white space, tabs and quotes included), unless replace_all is set; add neighbouring lines to make it unique. Nothing is changed when it fails. Edits of one turn run in order, each on the result of the one before.",
  effect: "write",
  parameters: z.object({
    path: pathText("The file, relative to the repository root."),
    old_string: text(LONGEST_STRING, "The text that stands in the file now, exactly as read_file shows it. Not empty."),
    new_string: text(LONGEST_STRING, "The text that shall stand there. Taken literally; may be empty."),
    replace_all: z.boolean().optional().describe("Replace every place where old_string stands. Default: false."),
  }),
  async handler({ path, old_string: oldString, new_string: newString, replace_all: replaceAll = false }, context) {
    const target = await changeTarget(context.workspace, path);
    if (!target.ok) return target.result;
    const { file } = target;
    const name = showPath(file.path);
    const outcome = editShown(file.bytes, { oldString, newString, replaceAll });
    if (!outcome.ok) return failed(`${name} was not changed: ${outcome.why}`);
    const places =
      outcome.replaced === 1
        ? `1 replacement at line ${outcome.lines[0]}`
        : `${outcome.replaced} replacements from line ${outcome.lines[0]} on`;
    return decisionResult(await context.write(file.path, outcome.bytes), `Edited ${name}: ${places}.`);
  },
});

/** An edit in the words of what was shown: marks of invisible characters stand for those characters, unless the file holds the marks themselves. */
function editShown(bytes: Uint8Array, edit: Edit): EditOutcome {
  const outcome = applyEdit(bytes, edit);
  if (outcome.ok || !`${edit.oldString}${edit.newString}`.includes("⟦U+")) return outcome;
  const file = Buffer.from(bytes).toString("utf8");
  const restored = applyEdit(bytes, {
    ...edit,
    oldString: restoreHidden(edit.oldString, file),
    newString: restoreHidden(edit.newString, file),
  });
  return restored.ok ? restored : outcome;
}
