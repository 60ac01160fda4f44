import type { Account, World } from "../state.ts";
import { nodeId } from "../urls.ts";

/** A `simple-user`; null for an account that was deleted. */
export function userPayload(world: World, login: string | null) {
  if (login === null) return null;
  return accountPayload(world, accountOf(world, login));
}

export function accountOf(world: World, login: string): Account {
  const account = world.accounts.get(login.toLowerCase());
  if (!account) throw new Error(`There is no account ${login} in the embedded GitHub.`);
  return account;
}

export function accountPayload(world: World, { login, id, type }: Account) {
  const url = `${world.origin}/api/v3/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: nodeId(type, id),
    avatar_url: `${world.origin}/avatars/u/${id}`,
    gravatar_id: "",
    url,
    html_url: `${world.origin}/${type === "Bot" ? `apps/${login.replace(/\[bot\]$/, "")}` : login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    user_view_type: "public",
    site_admin: false,
  };
}

/** A `public-user`, as `GET /users/{login}` answers. */
export function publicUserPayload(world: World, account: Account) {
  return {
    ...accountPayload(world, account),
    name: account.login,
    company: null,
    blog: "",
    location: null,
    email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  };
}
