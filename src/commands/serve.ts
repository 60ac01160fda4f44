import { faultsOf } from "../config/environment.ts";
import { appVariables, NO_APP_HINT, withKeptApp } from "../config/kept-app.ts";
import { ConfigurationError } from "../core/errors.ts";
import { keepServing } from "./keep-serving.ts";

export interface ServeWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Somebody sits at the terminal and can open a page. */
  readonly isTerminal: boolean;
  readonly complain: (line: string) => void;
}

/**
 * `sallyport serve`: runs until it is told to stop. Where no variable names an App, the kept one counts; where there is none either, the setup
 * page is served to whoever sits at the terminal. Answers the exit status.
 */
export async function serve({ role }: { readonly role: string | undefined }, world: ServeWorld): Promise<number> {
  if (role !== undefined && role !== "web" && role !== "worker") {
    throw new ConfigurationError(`--role ${role} is not known: expected web or worker.`, { code: "bad-role" });
  }
  const { variables, warning } = withKeptApp(world.variables, world.cwd);
  if (warning !== undefined) world.complain(`sallyport: ${warning}`);
  if (appVariables(variables).length === 0) {
    if (role === undefined && world.isTerminal) return (await import("./setup.ts")).setup({ port: 0 }, world);
    const [fault] = faultsOf(variables);
    if (fault !== undefined) throw new ConfigurationError(fault.message, { code: fault.code, hint: `${fault.hint} ${NO_APP_HINT}` });
  }
  return keepServing(variables, { role: role ?? "all" });
}
