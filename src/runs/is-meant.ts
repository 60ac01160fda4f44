import { whyNotMeant } from "../config/meant.ts";
import { isServed } from "../config/served.ts";
import { moveRuns } from "../store/moved.ts";
import { readSettings } from "./read-settings.ts";
import type { RunContext, RunDependencies } from "./run-context.ts";

/**
 * Whether a request is meant for the bot by what the server and the repository have configured, which is read here, once. Whoever is not meant
 * hears nothing.
 * @throws {GitHubError} when the configuration cannot be read: nothing is let in by assumption.
 */
export async function isMeant(context: RunContext, { server = {}, schedules, database, readings }: RunDependencies): Promise<boolean> {
  const { request, log } = context;
  const isOurs = isServed(server.repositories, request.repository);
  const why = isOurs ? whyNotMeant(request, await readSettings(context, server, readings)) : "the server does not work for this repository";
  const { settings } = context;
  await schedules?.sync(request.repository, isOurs && settings.enabled !== false ? settings.schedules : []);
  if (request.settingsOnly === true && database !== undefined) {
    const moved = await moveRuns(database, request.repository);
    if (moved.length > 0) log.info({ moved }, "runs follow their repository");
  }
  if (why === undefined) return true;
  log.info({ why }, "a request is not meant for the bot");
  return false;
}
