import type { Logger } from "../../core/log.ts";
import type { DerivedTool, ToolDeriver, ToolRegistration } from "../../extensions/api.ts";
import { faultOf } from "../../extensions/fault.ts";
import type { Owned } from "../../extensions/host.ts";
import { registrationOf } from "../../extensions/registration.ts";

export interface DeriveOptions {
  readonly derivers: readonly Owned<ToolDeriver>[];
  /** The list after policy; its handlers pass the wrappers. */
  readonly tools: readonly ToolRegistration[];
  /** Whether policy leaves a derived tool. */
  readonly isAllowed: (tool: ToolRegistration) => boolean;
  readonly log: Logger;
}

/**
 * The list with what derivers make of it, each at the place of what it replaces, or by its priority. No deriver sees what another one made; a name
 * that is there keeps the tool that has it.
 * @throws {ExtensionFault} for a deriver that throws or answers something else.
 */
export function withDerived({ derivers, tools, isAllowed, log }: DeriveOptions): readonly ToolRegistration[] {
  const seen = Object.freeze([...tools]);
  const names = new Set(tools.map(({ name }) => name));
  let list = [...tools];
  const hidden = new Set<string>();
  for (const { owner, it: derive } of derivers) {
    for (const { tool, replaces } of derivedBy(owner, derive, seen)) {
      if (names.has(tool.name)) {
        log.warn({ tool: tool.name, extension: owner }, `a derived tool is left out: there is one named ${tool.name}`);
        continue;
      }
      if (!isAllowed(tool)) continue;
      names.add(tool.name);
      for (const name of replaces) hidden.add(name);
      list = list.toSpliced(placeOf(list, tool, replaces), 0, tool);
    }
  }
  return list.filter(({ name }) => !hidden.has(name));
}

function derivedBy(owner: string, derive: ToolDeriver, tools: readonly ToolRegistration[]) {
  const what = "A tool deriver";
  let answer: unknown;
  try {
    answer = derive(tools);
  } catch (error) {
    throw faultOf(owner, what, error);
  }
  if (!Array.isArray(answer)) throw faultOf(owner, what, "answered something that is no list of tools");
  return (answer as readonly Partial<DerivedTool>[]).map((derived) => {
    const { tool, replaces = [] } = derived ?? {};
    if (tool === undefined || !Array.isArray(replaces)) throw faultOf(owner, what, "answered something that is no derived tool");
    try {
      return { tool: registrationOf(tool, owner), replaces };
    } catch (error) {
      throw faultOf(owner, what, error);
    }
  });
}

function placeOf(list: readonly ToolRegistration[], { priority }: ToolRegistration, replaces: readonly string[]): number {
  const replaced = list.findIndex(({ name }) => replaces.includes(name));
  if (replaced >= 0) return replaced;
  const later = list.findIndex((tool) => tool.priority > priority);
  return later < 0 ? list.length : later;
}
