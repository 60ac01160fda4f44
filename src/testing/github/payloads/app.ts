import type { Repository, World } from "../state.ts";
import { nodeId } from "../urls.ts";
import { accountOf, accountPayload, userPayload } from "./account.ts";

const SINCE = "2026-01-01T00:00:00Z";

/** The App itself, an `integration`: as `GET /app` answers and as its comments and check runs name it. */
export function appPayload(world: World) {
  const { id, slug, permissions, events } = world.app;
  return {
    id,
    slug,
    node_id: nodeId("App", id),
    client_id: `Iv1.${id}`,
    owner: accountPayload(world, accountOf(world, "octo-apps")),
    name: slug,
    description: null,
    external_url: `${world.origin}/${slug}`,
    html_url: `${world.origin}/apps/${slug}`,
    created_at: SINCE,
    updated_at: SINCE,
    permissions,
    events,
    installations_count: 1,
  };
}

/** The App's one installation. Its account is the owner of the repository that was asked about, or of the first one. */
export function installationPayload(world: World, repository?: Repository) {
  const { id, slug, installationId, permissions, events } = world.app;
  const owner = repository?.owner ?? [...world.repositories.values()].find(({ installed }) => installed)?.owner ?? "octo-apps";
  const account = accountOf(world, owner);
  return {
    id: installationId,
    account: userPayload(world, owner),
    app_id: id,
    app_slug: slug,
    client_id: `Iv1.${id}`,
    target_id: account.id,
    target_type: account.type,
    single_file_name: null,
    repository_selection: "all",
    access_tokens_url: `${world.origin}/api/v3/app/installations/${installationId}/access_tokens`,
    html_url: `${world.origin}/settings/installations/${installationId}`,
    repositories_url: `${world.origin}/api/v3/installation/repositories`,
    events,
    permissions,
    created_at: SINCE,
    updated_at: SINCE,
    suspended_by: null,
    suspended_at: null,
  };
}
