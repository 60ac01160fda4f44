import type { Topic } from "../../store/live-versions.ts";
import { BASE } from "../layout.ts";

const LIVE_PATH = `${BASE}/live`;

/** Where a page about this hears of news. */
export function liveAddress(topic: Topic): string {
  return `${LIVE_PATH}?${new URLSearchParams(topic.startsWith("run ") ? { run: topic.slice(4) } : { about: topic }).toString()}`;
}

/** What a request wants to hear of; undefined for what is no such request. */
export function readTopic(path: string, parameters: URLSearchParams): Topic | undefined {
  if (path !== LIVE_PATH) return undefined;
  const [run, about] = [parameters.get("run"), parameters.get("about")];
  if (run !== null) return /^[0-9a-z]{26}$/.test(run) ? `run ${run}` : undefined;
  return about === "runs" || about === "approvals" ? about : undefined;
}
