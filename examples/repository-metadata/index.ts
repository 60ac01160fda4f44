import { defineExtension, type VariableName } from "sallyport";
import { z } from "zod";

interface Metadata {
  readonly description: string | null;
  readonly visibility: string;
  readonly open_issues_count: number;
  readonly topics?: readonly string[];
  readonly archived: boolean;
}

const variableName = z.custom<VariableName>(
  (value) => typeof value === "string" && /^[A-Z][A-Z0-9_]*$/.test(value),
  "the name of a variable",
);

/** A tool with a typed schema and a token of its own, an observer of calls, a page that shows them, and a service beside it. */
export default defineExtension({
  name: "repository-metadata",
  config: z.object({
    api: z.url().default("https://api.github.com"),
    /** Which variable of the environment holds a token that may read metadata. The token itself is not configuration. */
    token_variable: variableName.default("METADATA_TOKEN"),
    refresh_minutes: z.number().positive().default(10),
  }),
  register(bot) {
    const { api, token_variable, refresh_minutes } = bot.config;
    const token = bot.secret(token_variable);
    const ask = async (path: string, signal?: AbortSignal): Promise<unknown> => {
      const limit = AbortSignal.timeout(10_000);
      const response = await fetch(`${api}${path}`, {
        headers: { accept: "application/vnd.github+json", authorization: `Bearer ${token}` },
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
      return response.json();
    };

    bot.tool({
      name: "github_repository",
      description: "Reads what GitHub says of this repository itself: description, visibility, topics, open issues.",
      // No address among the arguments: the token may be good for more than the model is to see.
      parameters: z.object({
        fields: z
          .array(z.enum(["description", "visibility", "topics", "issues"]))
          .min(1)
          .default(["description"]),
      }),
      effect: "read",
      async handler({ fields }, { repository, signal }) {
        const { owner, name } = repository;
        const found = (await ask(`/repos/${owner}/${name}`, signal)) as Metadata;
        const known = {
          description: found.description ?? "none",
          visibility: found.archived ? `${found.visibility}, archived` : found.visibility,
          topics: (found.topics ?? []).join(", ") || "none",
          issues: String(found.open_issues_count),
        };
        return fields.map((field) => `${field}: ${known[field]}`).join("\n");
      },
    });

    const calls = new Map<string, number>();
    bot.on("tool.called", ({ tool, status }) => {
      const key = `${tool} ${status}`;
      calls.set(key, (calls.get(key) ?? 0) + 1);
    });

    let left = "not asked yet";
    let timer: NodeJS.Timeout | undefined;
    const refresh = async (): Promise<void> => {
      const { rate } = (await ask("/rate_limit")) as { readonly rate: { readonly remaining: number } };
      left = String(rate.remaining);
    };
    bot.addService({
      name: "remaining-requests",
      // A token that is refused stops the start; later on the page says what was known last.
      async start() {
        await refresh();
        timer = setInterval(() => void refresh().catch(() => undefined), refresh_minutes * 60_000).unref();
      },
      stop: () => clearInterval(timer),
    });

    bot.addPage("/calls", "Tool calls", () => page(calls, left), "chart-line");
  },
});

function page(calls: ReadonlyMap<string, number>, left: string): Response {
  const rows = [...calls].map(([name, count]) => `<tr><th scope="row">${escape(name)}</th><td>${count}</td></tr>`);
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tool calls</title><h1>Tool calls</h1>
<table>${rows.join("")}</table><p>Requests left this hour: ${escape(left)}</p></html>`;
  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
