import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";

/** A team by the names that its address has: `acme/core`. */
export interface TeamName {
  readonly organisation: string;
  readonly team: string;
}

/**
 * Whether an account is a member of a team, of a team below it as well; an invitation that was not accepted yet is no membership. No for a team
 * that is not there, or that the installation may not see.
 * Source: https://docs.github.com/rest/teams/members#get-team-membership-for-a-user
 * @throws {GitHubError} `missing-permission` where the App may not read members; others when GitHub cannot be asked.
 */
export async function isTeamMember({ octokit }: GitHubSession, { organisation, team }: TeamName, login: string): Promise<boolean> {
  const membership = { org: organisation, team_slug: team, username: login };
  const answer = await unless(["not-found"], undefined, () =>
    reading(
      `ask whether ${login} is in the team ${organisation}/${team}`,
      async () => (await octokit.rest.teams.getMembershipForUserInOrg(membership)).data,
    ),
  );
  return answer?.state === "active";
}
