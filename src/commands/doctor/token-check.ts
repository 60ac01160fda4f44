import type { Check, Outcome } from "./check.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What the token of a workflow cannot do, said where one is set: nothing that a server does depends on it.
 * Source: https://docs.github.com/actions/concepts/security/github_token
 */
export function tokenChecks(variables: Variables): readonly Check[] {
  const token = variables["GITHUB_TOKEN"]?.trim() ?? "";
  if (token === "") return [];
  return [{ name: "GITHUB_TOKEN", run: () => Promise.resolve(tokenOutcome(variables["GITHUB_ACTIONS"] === "true")) }];
}

function tokenOutcome(isWorkflow: boolean): Outcome {
  if (!isWorkflow) {
    return {
      status: "ok",
      says: "GITHUB_TOKEN is set: the gate on this machine asks for known vulnerabilities with it; the server does not use it",
    };
  }
  return {
    status: "warning",
    says: "the token of a workflow can do less than an App: pull requests that it opens or pushes to start no CI",
    details: [
      'opening a pull request takes the setting "Allow GitHub Actions to create and approve pull requests"',
      "it writes no workflow files, asks nothing of other repositories, and ends with its job",
      "on a fork's pull request it only reads",
    ],
    advice: [
      'Settings, Actions, General, "Workflow permissions" has that setting, of the repository or its organisation.',
      "Where CI has to run on the bot's pull requests, give the Action a token of a GitHub App (inputs github_token and bot_login), or run the App itself.",
    ],
  };
}
