import { z } from "zod";
import { count, JOB_KINDS, names, text, word } from "./values.ts";

const pattern = z.string().trim().min(1).max(214);
const host = z.string().regex(/^(?:\*\.)?(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i, "expected a host's name");
const environment = z.record(z.string().regex(/^[A-Za-z_]\w*$/, "expected a variable's name"), z.string());

/** Keys that only the server's own file may hold: they are about the machine, or about who may use it. */
export const serverKeys = {
  repositories: z
    .strictObject({ include: z.array(pattern), exclude: z.array(pattern) })
    .partial()
    .meta({ description: "Repositories that are served, as `owner/name` patterns: those of `include` (all when left out) but `exclude`." }),
  sandbox: z
    .strictObject({
      mode: z.enum(["auto", "external", "off"]).meta({
        description:
          "`auto` takes the strongest sandbox of the machine; `external` runs commands in `command`; `off` without one. The last two never hold for forks or for what nobody asked for.",
      }),
      acknowledge: text.meta({
        description: "For `off`, word for word: `commands that a model chooses run unconfined on this machine`.",
      }),
      command: z
        .array(text.max(4096))
        .min(1)
        .meta({ description: "For `external`: program and arguments in front of `/bin/sh -c …`; `{workspace}` is the workspace's path." }),
      level: z.enum(["partial", "strong"]).meta({ description: "The least level at which commands are run at all." }),
      toolchains: z.array(text.max(4096)).meta({ description: "Absolute folders that commands may read, such as /opt/go." }),
      install: z
        .strictObject({
          command: text.meta({ description: "Left out: the repository's `commands.setup`, or what its lockfile asks for." }),
          hosts: z
            .array(host)
            .meta({ description: "Hosts that may be reached meanwhile, on ports 443 and 80; `*.example.com` for all below." }),
        })
        .partial()
        .meta({ description: "Dependencies are installed before a run's work, with a way out to these hosts alone; all else is offline." }),
    })
    .partial()
    .meta({ description: "Where commands run." }),
  workspace: z
    .strictObject({
      stores: z
        .strictObject({
          max_gib: z
            .number()
            .positive()
            .max(1_000_000)
            .meta({ description: "GiB of all of them together; those not used for longest go first. Default: 20." }),
          max_days: count.min(1).max(3650).meta({ description: "Days without a use after which one is removed. Default: 14." }),
        })
        .partial()
        .meta({ description: "The repositories' git objects that are kept on this machine. What a run works on stays in any case." }),
    })
    .partial()
    .meta({ description: "What is kept for check-outs." }),
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
  tools: z.partialRecord(z.enum([...JOB_KINDS, "research"]), z.strictObject({ allow: names, deny: names, approve: names }).partial()).meta({
    description:
      "Which tools a job kind, or a run's research subagent, has, and which of them a person must approve, as glob patterns on their names.",
  }),
  mcp: z
    .record(
      z
        .string()
        .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/i, "expected a short name")
        .max(40),
      z.union(
        [
          z.strictObject({
            command: text.max(4096),
            args: z.array(z.string()).optional(),
            env: environment.optional(),
            read: names.optional(),
          }),
          z.strictObject({
            url: z.url({ protocol: /^https?$/ }),
            headers: z.record(z.string().regex(/^[\w-]{1,100}$/, "expected a header's name"), z.string()).optional(),
            read: names.optional(),
          }),
        ],
        "expected an object with command, or one with url",
      ),
    )
    .meta({
      description:
        "MCP servers, whose tools are offered as `mcp__<server>__<tool>` where `tools` names them: a command that is started, or a URL. `read`: their own names of tools that only read.",
    }),
};

/** Keys about how long things are kept. */
export const retentionKeys = {
  retention: z
    .strictObject({ days: count.max(3650).meta({ description: "Days for which transcripts are kept." }) })
    .partial()
    .meta({ description: "How long what was stored is kept." }),
};
