import { z } from "zod";
import { count, JOB_KINDS, names, text, word } from "./values.ts";

const pattern = z.string().trim().min(1).max(214);
const environment = z.record(z.string().regex(/^[A-Za-z_]\w*$/, "expected a variable's name"), z.string());

/** Keys that only the server's own file may hold: they are about the machine, or about who may use it. */
export const serverKeys = {
  repositories: z
    .strictObject({ include: z.array(pattern), exclude: z.array(pattern) })
    .partial()
    .meta({ description: "Repositories that are served, as `owner/name` patterns: those of `include` (all when left out) but `exclude`." }),
  sandbox: z
    .strictObject({
      network: z.boolean().meta({ description: "Whether commands reach the network." }),
      level: z.enum(["partial", "full"]).meta({ description: "The least level at which commands are run at all." }),
    })
    .partial()
    .meta({ description: "Where commands run." }),
  extensions: z
    .strictObject({
      modules: names,
      search_paths: z.array(text.max(4096)),
      config: z.record(word, z.record(z.string(), z.unknown())),
      on_error: z.enum(["stop", "skip"]),
      workers: names,
    })
    .partial()
    .meta({
      description: "Extensions: modules to load, folders to look in, their configuration, and whether a broken one stops the start.",
    }),
  tools: z
    .partialRecord(z.enum(JOB_KINDS), z.strictObject({ allow: names, deny: names, approve: names }).partial())
    .meta({ description: "Which tools a job kind has, and which of them a person must approve, as glob patterns on their names." }),
  mcp: z
    .record(
      z.string().regex(/^[\w-]{1,40}$/, "expected a short name"),
      z.union(
        [
          z.strictObject({ command: text.max(4096), args: z.array(z.string()).optional(), env: environment.optional() }),
          z.strictObject({ url: z.url({ protocol: /^https?$/ }), headers: z.record(z.string(), z.string()).optional() }),
        ],
        "expected an object with command, or one with url",
      ),
    )
    .meta({ description: "Servers of further tools: a command that is started, or a URL." }),
};

/** Keys about how long things are kept. */
export const retentionKeys = {
  retention: z
    .strictObject({ days: count.max(3650).meta({ description: "Days for which transcripts are kept." }) })
    .partial()
    .meta({ description: "How long what was stored is kept." }),
};
