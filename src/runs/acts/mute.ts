import { setMuted } from "../../store/threads.ts";
import { done, type Act } from "./act.ts";
import { usageOf } from "./help.ts";

export const mute: Act = async ({ database, thread, request, handle }) => {
  const isNew = await setMuted(database, thread, { repositoryId: request.repository.id, by: request.actor });
  const now = isNew ? "From now on I am silent on this thread." : "I am silent on this thread already.";
  return done(`${now} Commands still count; ${usageOf("unmute", handle)} ends it.`);
};

export const unmute: Act = async ({ database, thread }) => {
  const wasMuted = await setMuted(database, thread, undefined);
  return done(wasMuted ? "I listen on this thread again." : "I was not muted on this thread.");
};
