import { z } from "zod";
import { ok } from "../../core/result.ts";
import { defineTool } from "../define-tool.ts";
import { envelope, oneLine } from "./envelope.ts";

const DEFAULT_LIMIT = 10;

export const listRecentTags = defineTool({
  name: "list_recent_tags",
  description:
    "Lists the repository's tags with their commits, the highest version first (GitHub's list has no dates): the first one is the latest release as far as names tell.",
  effect: "read",
  priority: 30,
  parameters: z.object({
    limit: z.int().min(1).max(100).optional().describe(`How many at most. Default: ${DEFAULT_LIMIT}.`),
  }),
  async handler({ limit = DEFAULT_LIMIT }, { github }) {
    const { tags, total, more } = await github.tags(limit);
    if (tags.length === 0) return ok("The repository has no tags.");
    const rest =
      total > tags.length || more ? [`[${tags.length} of ${more ? "more than " : ""}${total} tags; a larger limit shows more]`] : [];
    const list = tags.map(({ name, sha }) => `${oneLine(name)} ${sha}`).join("\n");
    return ok([envelope({ kind: "tags", trust: "repository" }, list), ...rest].join("\n"));
  },
});
