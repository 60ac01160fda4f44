import http from "node:http";
import { ConfigurationError } from "../core/errors.ts";

const PASSED_ON = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"];

/** The variables by which git learns of proxies and extra certificates. */
export function networkVariables(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = variables[name];
    if (value !== undefined && value !== "") found[name.toLowerCase()] = value;
  }
  const certificates = variables["NODE_EXTRA_CA_CERTS"];
  if (certificates !== undefined && certificates !== "") found["GIT_SSL_CAINFO"] = certificates;
  return found;
}

/** This machine is never asked through a proxy, whatever NO_PROXY leaves out. */
const NEVER = "localhost,127.0.0.1,[::1]";

/**
 * Lets every connection of the process, to GitHub and to models, go through the proxies of the environment. Certificates of
 * NODE_EXTRA_CA_CERTS are Node's own business. Answers how to undo it.
 * @throws {ConfigurationError} when a proxy's address is none.
 */
export function useProxies(variables: Readonly<Record<string, string | undefined>>): () => void {
  const { https_proxy, http_proxy, no_proxy } = networkVariables(variables);
  if (https_proxy === undefined && http_proxy === undefined) return () => undefined;
  // Younger than the oldest Node that a runner may bring.
  if (typeof (http as Partial<typeof http>).setGlobalProxyFromEnv !== "function") {
    throw new ConfigurationError(`Node.js ${process.version} cannot go through HTTPS_PROXY or HTTP_PROXY: 24.14 can.`, {
      code: "bad-environment",
      hint: "Update Node.js, or leave both out to connect directly.",
    });
  }
  const exempt = no_proxy === undefined ? NEVER : `${no_proxy},${NEVER}`;
  try {
    return http.setGlobalProxyFromEnv({
      ...(https_proxy === undefined ? {} : { https_proxy }),
      ...(http_proxy === undefined ? {} : { http_proxy }),
      no_proxy: exempt,
    });
  } catch (cause) {
    throw new ConfigurationError(
      "HTTPS_PROXY or HTTP_PROXY is no address of a proxy: expected one such as http://proxy.example.com:3128.",
      {
        code: "bad-environment",
        hint: "Leave both out to connect directly.",
        cause,
      },
    );
  }
}
