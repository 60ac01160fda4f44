import { z } from "zod";
import { failed, ok } from "../../core/result.ts";
import { decisionResult } from "../decision-result.ts";
import { defineTool } from "../define-tool.ts";
import { restoreHidden } from "../show-hidden.ts";
import { showPath } from "../show-path.ts";
import { pathText, text } from "../tool-arguments.ts";
import { judgePath } from "../../core/repository-path.ts";
import { canonicalPath, whyNoFile } from "./find-target.ts";

/** UTF-16 units; the gate's own limit on sizes comes on top. */
const LONGEST_CONTENT = 1_000_000;

export const writeFile = defineTool({
  name: "write_file",
  description:
    "Writes a whole file of the repository, byte for byte as given; makes it and its folders when they are not there, replaces what stood there. To change a part of a file use edit_file.",
  effect: "write",
  parameters: z.object({
    path: pathText("The file, relative to the repository root."),
    content: text(
      LONGEST_CONTENT,
      "The file's whole new content. A longer file is written in parts: a first one, then edit_file to add to it.",
    ),
  }),
  async handler({ path: raw, content }, context) {
    const path = canonicalPath(raw);
    // A path that cannot be read is for the inner door to refuse, with its own reason.
    if (!judgePath(path).ok) return decisionResult(await context.write(path, Buffer.from(content)), `Wrote ${showPath(path)}.`);
    const there = await context.workspace.read(path);
    if (there.status === "folder") return failed(whyNoFile(path, there));
    if (there.status !== "file") {
      const bytes = Buffer.from(content);
      return decisionResult(await context.write(path, bytes), `Wrote ${showPath(path)} (new, ${bytes.length} bytes).`);
    }
    const bytes = Buffer.from(restoreHidden(content, Buffer.from(there.bytes).toString("utf8")));
    if (bytes.equals(there.bytes)) return ok(`${showPath(there.path)} holds exactly this already; nothing was written.`);
    return decisionResult(
      await context.write(there.path, bytes),
      `Wrote ${showPath(there.path)} (${bytes.length} bytes, before ${there.bytes.length}).`,
    );
  },
});
