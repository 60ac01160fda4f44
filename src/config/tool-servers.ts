import { ConfigurationError } from "../core/errors.ts";
import type { FileSettings } from "./file-schema.ts";

/** A tool server of the configuration with its references put in. */
export type ConfiguredServer = { readonly name: string; readonly read: readonly string[] } & (
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
);

type Variables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([^}]*)\}/g;
/** Variables that hold what is Sallyport's own: nobody else is handed it. */
const OWN: readonly string[] = [
  "PRIVATE_KEY",
  "WEBHOOK_SECRET",
  "OPENAI_API_KEY",
  "DATABASE_URL",
  "WEBHOOK_PROXY_URL",
  "GITHUB_TOKEN",
  "GH_TOKEN",
];
const isOwn = (name: string): boolean => OWN.includes(name) || name.startsWith("SALLYPORT_");
const SOUNDS_SECRET = /token|key|secret|passw|credential|auth/i;
/** Headers whose values everybody may see, and which are ordinary words of other texts. */
const PLAIN_HEADERS = /^(?:accept(?:-.*)?|content-type|user-agent|cache-control)$/i;

/**
 * The tool servers, with each `${NAME}` in `env` and `headers` replaced by that variable, and the values that nobody may see.
 * @throws {ConfigurationError} naming the key, for a variable that is not set or is Sallyport's own.
 */
export function readToolServers(
  mcp: FileSettings["mcp"],
  variables: Variables,
): { readonly servers: readonly ConfiguredServer[]; readonly secrets: readonly string[] } {
  const secrets: string[] = [];
  const fill = (key: string, text: string): string =>
    text.replace(REFERENCE, (_, name: string) => {
      const value = isOwn(name) ? undefined : variables[name];
      if (value === undefined || value === "") throw cannotFill(key, name);
      secrets.push(value);
      return value;
    });
  const fillAll = (key: string, record: Readonly<Record<string, string>> = {}, isSecret: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(record).map(([name, text]) => {
        const value = fill(`${key}.${name}`, text);
        if (isSecret(name)) secrets.push(value);
        return [name, value];
      }),
    );
  const servers = Object.entries(mcp ?? {}).map(([name, server]): ConfiguredServer => {
    const { read = [] } = server;
    if ("url" in server) {
      const headers = fillAll(`mcp.${name}.headers`, server.headers, (header) => !PLAIN_HEADERS.test(header));
      return { name, read, url: server.url, headers };
    }
    const { command, args = [] } = server;
    return { name, read, command, args, env: fillAll(`mcp.${name}.env`, server.env, (variable) => SOUNDS_SECRET.test(variable)) };
  });
  return { servers, secrets };
}

function cannotFill(key: string, name: string): ConfigurationError {
  const isRefused = isOwn(name);
  return new ConfigurationError(
    isRefused ? `${key} refers to ${name}, which is Sallyport's own secret.` : `${key} refers to the variable ${name}, which is not set.`,
    {
      code: "bad-environment",
      hint: isRefused ? "Give the tool server a secret of its own, in a variable of another name." : "Set it, or take the reference out.",
    },
  );
}
