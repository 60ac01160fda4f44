import { decisionResult, defineExtension } from "sallyport";
import { z } from "zod";

export default defineExtension({
  // Also the key of its configuration, and the beginning of its routes.
  name: "example",
  config: z.object({ greeting: z.string().min(1).default("Hello") }),
  register(bot) {
    const { greeting } = bot.config;

    // Reads: its context has nothing that writes.
    bot.tool({
      name: "count_files",
      description: "Counts the files of the repository that match a glob.",
      parameters: z.object({ pattern: z.string().default("**") }),
      effect: "read",
      async handler({ pattern }, { files }) {
        const found = await files.list(pattern);
        return `${found.length} files match ${pattern}.`;
      },
    });

    // Writes: the gate judges it, here and again before it leaves.
    bot.tool({
      name: "write_greeting",
      description: "Writes a greeting for somebody into GREETING.md.",
      parameters: z.object({ name: z.string().min(1).max(100) }),
      effect: "write",
      async handler({ name }, { writeFile }) {
        const decision = await writeFile("GREETING.md", new TextEncoder().encode(`${greeting}, ${name}!\n`));
        return decisionResult(decision, `Greeted ${name}.`);
      },
    });
  },
});
