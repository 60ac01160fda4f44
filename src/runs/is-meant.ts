import { whyNotMeant } from "../config/meant.ts";
import { isServed } from "../config/served.ts";
import { readSettings } from "./read-settings.ts";
import type { RunContext, RunDependencies } from "./run-context.ts";

/**
 * Whether a request is meant for the bot by what the server and the repository have configured, which is read here, once. Whoever is not meant
 * hears nothing.
 * @throws {GitHubError} when the configuration cannot be read: nothing is let in by assumption.
 */
export async function isMeant(context: RunContext, { server = {}, schedules }: RunDependencies): Promise<boolean> {
  const { request, log } = context;
  const isOurs = isServed(server.repositories, request.repository);
  const why = isOurs ? whyNotMeant(request, await readSettings(context, server)) : "the server does not work for this repository";
  const { settings } = context;
  await schedules?.sync(request.repository, isOurs && settings.enabled !== false ? settings.schedules : []);
  if (why === undefined) return true;
  log.info({ why }, "a request is not meant for the bot");
  return false;
}
