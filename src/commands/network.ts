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
