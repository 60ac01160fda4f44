import type { FileSettings } from "./file-schema.ts";

/** A line for each key of a layer that does nothing as it is set: who sets it must not rely on it. */
export function withoutEffect({ mcp = {}, tools = {} }: FileSettings, file: string): readonly string[] {
  const isOffered = Object.values(tools).some(({ allow, approve }) => allow !== undefined || approve !== undefined);
  if (isOffered || Object.keys(mcp).length === 0) return [];
  return [
    `${file}: mcp is set, and nothing under tools allows its tools or has people approve them: they are offered nowhere. Name them, such as tools.mention.approve: [mcp__*].`,
  ];
}
