import { ApiError, notFound } from "../api-error.ts";
import { optionalList, optionalObject, optionalTexts } from "../fields.ts";
import { countedPage, page } from "../paginate.ts";
import { accountOf, publicUserPayload } from "../payloads/account.ts";
import { appPayload, installationPayload } from "../payloads/app.ts";
import { repositoryPayload } from "../payloads/repository.ts";
import { appRoute, created, NO_CONTENT, numberIn, ok, openRoute, present, type Answer, type Call } from "../route.ts";
import { addToken } from "../seed/accounts.ts";
import { timestamp, type Permissions, type Repository } from "../state.ts";

const HOUR_MS = 3_600_000;

export const APP_ROUTES = [
  appRoute("GET /app", (call) => ok(appPayload(call.world))),
  appRoute("GET /app/installations", (call) => page(call, [installationPayload(call.world)], (item) => item)),
  appRoute("GET /app/installations/{installation_id}", (call) => {
    mustBeInstallation(call);
    return ok(installationPayload(call.world));
  }),
  appRoute("POST /app/installations/{installation_id}/access_tokens", createToken),
  appRoute("GET /repos/{owner}/{repo}/installation", (call) => {
    const repository = call.world.repositories.get(`${call.params["owner"]}/${call.params["repo"]}`.toLowerCase());
    if (!repository?.installed) throw notFound();
    return ok(installationPayload(call.world, repository));
  }),
  openRoute("GET /installation/repositories", (call) => {
    if (call.caller.kind !== "installation") throw new ApiError(403, "You must authenticate with an installation access token.");
    return countedPage(call, "repositories", reachable(call, call.caller.repositoryIds), (repository) =>
      repositoryPayload(call.world, repository),
    );
  }),
  openRoute("DELETE /installation/token", (call) => {
    if (call.caller.kind !== "installation") throw new ApiError(403, "You must authenticate with an installation access token.");
    call.world.tokens.delete((call.request.authorization ?? "").replace(/^(bearer|token)\s+/i, ""));
    return NO_CONTENT;
  }),
  openRoute("GET /users/{username}", (call) => {
    present(call.world.accounts.get((call.params["username"] ?? "").toLowerCase()));
    return ok(publicUserPayload(call.world, accountOf(call.world, call.params["username"] ?? "")));
  }),
  openRoute("GET /meta", () => ok({ verifiable_password_authentication: false, installed_version: "3.18.0" })),
  openRoute("GET /rate_limit", () => {
    const rate = { limit: 5000, used: 1, remaining: 4999, reset: Math.floor(Date.now() / 1000) + 3600 };
    return ok({ resources: { core: rate, graphql: rate, search: rate }, rate });
  }),
];

function mustBeInstallation(call: Call): void {
  if (numberIn(call, "installation_id") !== call.world.app.installationId) throw notFound();
}

function reachable({ world }: Call, ids: readonly number[] | undefined): Repository[] {
  return [...world.repositories.values()].filter(({ id, installed }) => installed && (ids?.includes(id) ?? true));
}

/** Hands out a token that lasts an hour, limited to what was asked for, which must be within what the installation has. */
function createToken(call: Call): Answer {
  mustBeInstallation(call);
  const { world, body } = call;
  const granted = world.app.permissions;
  const permissions = { ...(optionalObject(body, "permissions") ?? granted) } as Permissions;
  for (const [name, level] of Object.entries(permissions)) {
    if (!(name in granted) || (level === "write" && granted[name] !== "write")) {
      throw new ApiError(422, "The permissions requested are not granted to this installation.");
    }
  }
  const repositories = requestedRepositories(call);
  const token = addToken(world, {
    permissions,
    ...(repositories ? { repositories: repositories.map(({ fullName }) => fullName) } : {}),
  });
  return created({
    token,
    expires_at: timestamp(Date.now() + HOUR_MS),
    permissions: { ...permissions, metadata: "read" },
    repository_selection: repositories ? "selected" : "all",
    ...(repositories ? { repositories: repositories.map((repository) => repositoryPayload(world, repository)) } : {}),
  });
}

function requestedRepositories(call: Call): Repository[] | undefined {
  const names = optionalTexts(call.body, "repositories");
  const ids = optionalList(call.body, "repository_ids");
  if (!names && !ids) return undefined;
  const all = reachable(call, undefined);
  const wanted = [...(names ?? []), ...(ids ?? [])];
  return wanted.map((key) => {
    const found = all.find(({ id, name }) => id === key || name === key);
    if (!found)
      throw new ApiError(422, "There is at least one repository that does not exist or is not accessible to the parent installation.");
    return found;
  });
}
