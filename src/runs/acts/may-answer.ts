import { GitHubError } from "../../github/errors.ts";
import { holds } from "../../github/permission.ts";
import { readRepositoryFile } from "../../github/repository-file.ts";
import { isTeamMember, type TeamName } from "../../github/team.ts";
import { readJournal } from "../../store/journal-rows.ts";
import type { StoredApproval } from "../../store/approvals.ts";
import type { StoredRun } from "../../store/runs.ts";
import { codeSpan } from "../../text/code-span.ts";
import type { ActContext } from "./act.ts";
import { parseCodeOwners, type CodeOwners } from "./code-owners.ts";

type Asking = Pick<ActContext, "request" | "reader" | "settings" | "session">;

/** GitHub takes the first of these that is there, and none that is larger. Bytes. */
const CODEOWNERS = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];
const LARGEST_CODEOWNERS = 3 * 1024 * 1024;
const BY_HAND = "Only a person can answer this, in a comment of their own: not a bot, and no App in somebody's name.";
const UNKNOWN_PATHS =
  "Only code owners may answer this, and which files it is about is not known any more: one needs the permission `admin` in this repository, or asks again for it.";
/** Paths, and owners, that are named in an answer. */
const MOST_NAMED = 5;

/**
 * Why this person may not answer: always only people with the configured permission, never on their own work from a fork, and only the teams
 * and code owners that it was narrowed to.
 * @throws {GitHubError} when GitHub cannot be asked: nobody answers then.
 */
export async function whyNotAnswer(
  context: Asking & Pick<ActContext, "database">,
  { about, stored }: { readonly about: StoredRun; readonly stored: StoredApproval },
): Promise<string | undefined> {
  const { request, reader, settings } = context;
  const { actor } = request;
  if (actor.isBot || request.viaApp) return BY_HAND;
  if (settings.enabled === "observe") return "This repository is only observed by now: nothing is published.";
  const { thread } = about.request;
  const pull = thread.kind === "pull-request" ? await reader.pull(thread.number) : undefined;
  if (pull !== undefined && !pull.sameRepository && pull.author.toLowerCase() === actor.login.toLowerCase())
    return "The author of a fork's pull request cannot answer this.";
  const { permission, code_owners: codeOwners } = settings.gate.approvals;
  const held = await reader.permission(actor);
  if (!holds(held, permission)) return `To answer this, one needs the permission ${codeSpan(permission)} in this repository.`;
  return withTeams(context, async (isMember) => {
    const why = await whyNotOfTheTeams(context, isMember);
    if (why !== undefined || !codeOwners) return why;
    // As GitHub has it: who may not write owns nothing.
    if (!holds(held, "write")) return `To answer this as a code owner, one needs the permission ${codeSpan("write")} in this repository.`;
    const paths = await pathsOf(context, stored);
    // Who may change CODEOWNERS itself can say who would own what is not known: else nobody could ever answer.
    if (paths === undefined) return holds(held, "admin") ? undefined : UNKNOWN_PATHS;
    return whyNotTheOwner(context, paths, isMember);
  });
}

/** Why this person may not stand for the approval of what is not known yet: the teams count, and who owns which path does not. */
export async function whyNotOfTeams(context: Asking): Promise<string | undefined> {
  if (context.request.actor.isBot || context.request.viaApp) return BY_HAND;
  return withTeams(context, (isMember) => whyNotOfTheTeams(context, isMember));
}

type IsMember = (team: TeamName) => Promise<boolean>;

/** Each team is asked for once. Where the App may not ask, nobody gets through, and the answer says what it lacks. */
async function withTeams(
  { session, request }: Asking,
  decide: (isMember: IsMember) => Promise<string | undefined>,
): Promise<string | undefined> {
  const asked = new Map<string, Promise<boolean>>();
  const isMember: IsMember = (name) => {
    const key = `${name.organisation}/${name.team}`.toLowerCase();
    const known = asked.get(key) ?? isTeamMember(session, name, request.actor.login);
    asked.set(key, known);
    return known;
  };
  try {
    return await decide(isMember);
  } catch (error) {
    if (!(error instanceof GitHubError) || (error.code !== "missing-permission" && error.code !== "forbidden")) throw error;
    return "Only members of certain teams may say this, and the App may not ask who they are: it lacks the organisation's permission `members: read`. Until it is granted, nobody can.";
  }
}

async function whyNotOfTheTeams({ settings, request }: Asking, isMember: IsMember): Promise<string | undefined> {
  const { teams } = settings.gate.approvals;
  if (teams.length === 0) return undefined;
  for (const team of teams) if (await isMember(teamOf(team, request.repository.owner))) return undefined;
  return `To say this, one must be a member of ${teams
    .slice(0, MOST_NAMED)
    .map((team) => codeSpan(team))
    .join(" or ")}.`;
}

/** `organisation/team`, with or without an `@`; a name alone is a team of the repository's owner. */
function teamOf(named: string, owner: string): TeamName {
  const [first = "", ...rest] = named.replace(/^@/, "").split("/");
  return rest.length === 0 ? { organisation: owner, team: first } : { organisation: first, team: rest.join("/") };
}

async function whyNotTheOwner(context: Asking, paths: readonly string[], isMember: IsMember): Promise<string | undefined> {
  if (paths.length === 0) return undefined;
  const read = await readCodeOwners(context);
  if (typeof read === "string") return read;
  const { file, owners } = read;
  const login = context.request.actor.login.toLowerCase();
  for (const path of paths) {
    const { users = [], teams = [], addresses = [] } = owners.ownersOf(path) ?? {};
    let isOwner = users.some((user) => user.toLowerCase() === login);
    for (const team of teams) isOwner ||= await isMember(teamOf(team, context.request.repository.owner));
    if (isOwner) continue;
    const named = [...users, ...teams].map((one) => codeSpan(`@${one}`)).slice(0, MOST_NAMED);
    const who = named.length === 0 ? "nobody is named there by login or team" : `${named.join(", ")} may`;
    const aside = [
      addresses.length === 0 ? "" : " E-mail addresses are not looked at.",
      owners.skipped.length === 0 ? "" : ` Lines that cannot be read count for nothing: ${owners.skipped.slice(0, MOST_NAMED).join(", ")}.`,
    ];
    return `To answer this, one must own ${codeSpan(path, 200)} by ${codeSpan(file)} of the default branch: ${who}.${aside.join("")}`;
  }
  return undefined;
}

/** The file that GitHub goes by, of the default branch; in words, why there is none to go by. */
async function readCodeOwners({ session, request }: Asking): Promise<{ readonly file: string; readonly owners: CodeOwners } | string> {
  for (const file of CODEOWNERS) {
    const read = await readRepositoryFile(session, request.repository, file, { longest: LARGEST_CODEOWNERS });
    if (read.status === "absent") continue;
    if (read.status === "text") return { file, owners: parseCodeOwners(read.text) };
    return `Only code owners may answer this, and ${codeSpan(file)} of the default branch cannot be read: ${read.why}. Until it can, nobody can answer.`;
  }
  return "Only code owners may answer this, and the default branch has no CODEOWNERS file. Until it has one, nobody can answer.";
}

/** The files that the question is about: those of what asks, or all that changed where that names none. Undefined where they are not known. */
async function pathsOf({ database }: Pick<ActContext, "database">, stored: StoredApproval): Promise<readonly string[] | undefined> {
  const places = stored.findings.map(placeOf);
  if (stored.operation !== "open-pull-request" && stored.operation !== "commit") return places.flatMap((path) => path ?? []);
  if (places.length > 0 && places.every((path) => path !== undefined)) return [...new Set(places)];
  const rows = await readJournal(database, stored.run);
  const asked = rows.findLast((row) => row.kind === "asked" && row.approval === stored.id);
  const snapshot = rows.findLast((row) => row.kind === "snapshot");
  const changed = (asked?.kind === "asked" ? asked.paths : undefined) ?? snapshot?.entries.map(({ path }) => path);
  return changed === undefined ? undefined : [...new Set([...places, ...changed].flatMap((path) => path ?? []))];
}

function placeOf(finding: unknown): string | undefined {
  const where = typeof finding === "object" && finding !== null && "where" in finding ? finding.where : undefined;
  const path = typeof where === "object" && where !== null && "path" in where ? where.path : undefined;
  return typeof path === "string" ? path : undefined;
}
