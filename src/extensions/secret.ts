import type { VariableName } from "./api.ts";

export interface SecretOptions {
  /** Where values are looked up: the variables that the product itself was started from. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Holds a value from then on: it is masked, and the gate blocks it. */
  readonly hold: (value: string) => void;
}

const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;

/** `bot.secret`. What it was called with is not repeated where it is no name: it could be the secret itself. */
export function secretReader({ variables, hold }: SecretOptions): (variable: VariableName) => string {
  return (variable) => {
    if (typeof variable !== "string" || !VARIABLE.test(variable))
      throw new TypeError("a secret is asked for by the name of an environment variable, such as DEPLOY_TOKEN");
    const value = variables[variable];
    if (value === undefined || value.trim() === "") throw new TypeError(`the environment variable ${variable} is not set`);
    hold(value);
    return value;
  };
}
