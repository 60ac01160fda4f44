import { defineExtension, type ReadContext, type ToolBinding } from "sallyport";
import { z } from "zod";

/** Says what is deployed where: hooks that append, reorder and drop tools, with priorities. */
export default defineExtension({
  name: "deployment-status",
  config: z.object({
    /** Environment to the address that answers `{ "version": "…", "commit": "…" }` for it. */
    environments: z.record(z.string(), z.url()),
  }),
  register(bot) {
    const { environments } = bot.config;
    const status: ToolBinding = {
      name: "deployment_status",
      description: "Says which version and commit run in an environment of this repository's service.",
      parameters: {
        type: "object",
        properties: { environment: { type: "string", enum: Object.keys(environments) } },
        required: ["environment"],
      },
      effect: "read",
      priority: 20,
      handler: async (args, context) => deployedIn(String(args["environment"]), environments, context),
    };

    // The run's own tools, and those of its research subagent.
    bot.addAction("tools.register", (tools) => tools.add(status), 10);
    bot.addAction("research.register", (tools) => tools.add(status), 10);

    // After every other filter: what is deployed comes first, and tags, which say what was meant to be, are not offered beside it.
    bot.addFilter(
      "tools.registrations",
      (tools) => [
        ...tools.filter(({ name }) => name === status.name),
        ...tools.filter(({ name }) => name !== status.name && name !== "list_recent_tags"),
      ],
      90,
    );

    bot.addPromptFragment("Before you speak of a release, ask deployment_status what runs.", { whenTools: [status.name] });
  },
});

async function deployedIn(environment: string, environments: Readonly<Record<string, string>>, context: ReadContext): Promise<string> {
  const address = environments[environment];
  if (address === undefined) return `[error] There is no environment ${environment}.`;
  await context.progress(`asking ${environment} what it runs`);
  const url = new URL(address);
  url.searchParams.set("repository", `${context.repository.owner}/${context.repository.name}`);
  const response = await fetch(url, { signal: AbortSignal.any([context.signal, AbortSignal.timeout(10_000)]) });
  if (!response.ok) return `[error] ${environment} answered ${response.status}; ask again later.`;
  const { version, commit } = (await response.json()) as { readonly version: string; readonly commit: string };
  const line = `${environment} runs ${version} (${commit})`;
  // Kept with the run's transcript, and there for the next call.
  const earlier = await context.artifacts.load("deployments.txt");
  const lines = [...(earlier === undefined ? [] : [new TextDecoder().decode(earlier)]), line];
  await context.artifacts.save("deployments.txt", new TextEncoder().encode(lines.join("\n")), "text/plain");
  return commit === context.repository.commit
    ? `${line}, which is the commit of this run.`
    : `${line}; this run works on ${context.repository.commit}.`;
}
