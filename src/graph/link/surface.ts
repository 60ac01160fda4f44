import { canonical } from "./canonical.ts";
import type { TabledUnit } from "./unit-tables.ts";
import type { Resolution, Value, World } from "./world.ts";

/** The names that a file gives others, for those that hand all of them on. */
export function namesGivenBy({ facts }: TabledUnit): string {
  const exported = facts.exports.map(({ name, module }) => `${name} ${name === "*" ? module : ""}`);
  const declared = facts.bindings.flatMap(({ scope, name, kind }) =>
    scope === 0 && (kind === "symbol" || kind === "import") ? [name] : [],
  );
  return [...exported, ...declared].toSorted().join("\n");
}

/** All that other files can tell of a file: its declarations with what they are and give. Equal surfaces link alike. */
export function surfaceOf(world: World, unit: TabledUnit): string {
  const { facts } = unit;
  const lines = facts.symbols.map((fact, index) => {
    const declared = unit.tables.declared(index);
    const isFunction = fact.kind === "function" || fact.kind === "method";
    const value = isFunction ? world.resultOf(declared) : world.valueOf(declared);
    const heritage = (fact.heritage ?? []).map(({ how, type }) => how + shown(world, world.type(unit, type), 0)).join();
    const parameters = (fact.parameters ?? []).map((binding) => shown(world, world.binding(unit, binding).value, 0)).join();
    return `${fact.parent} ${fact.kind} ${fact.name} ${fact.hidden === true} ${fact.isAbstract === true} ${fact.isStatic === true} ${shown(world, value, 0)} ${heritage} ${parameters}`;
  });
  const exported = facts.exports.map(
    ({ name, local, module }) => `${name} ${local ?? ""} ${module ?? ""} ${name === "*" ? "" : led(world, world.exported(unit, name))}`,
  );
  const all = facts.imports
    .filter((each) => each.all === true || each.local !== undefined)
    .map(
      ({ module, name, local }) => `${module} ${name} ${local ?? ""} ${local === undefined ? "" : led(world, world.name(unit, 0, local))}`,
    );
  return [...lines, ...exported, ...all, facts.package ?? ""].join("\n");
}

/** Where a name leads. */
function led(world: World, found: Resolution | undefined): string {
  if (found === undefined) return "nowhere";
  const targets = found.targets.map(({ declared }) => `${declared.unit.path}#${declared.index}`);
  return `${targets.join()} ${shown(world, found.value, 0)}`;
}

function shown(world: World, value: Value, depth: number): string {
  if (depth > 3) return "…";
  switch (value.t) {
    case "instance":
    case "itself": {
      const to = canonical(world, value.of);
      const args = value.t === "instance" ? value.args.map((arg) => shown(world, arg, depth + 1)).join() : "";
      return `${value.t}:${to.unit.path}#${to.index}<${args}>`;
    }
    case "builtin":
      return `${value.name}<${value.args.map((arg) => shown(world, arg, depth + 1)).join()}>`;
    case "union":
      return value.items.map((item) => shown(world, item, depth + 1)).join("|");
    case "module":
      return value.unit.path;
    case "package":
      return value.name;
    case "parameter":
      return value.key;
    case "external":
    case "unknown":
    default:
      return value.t;
  }
}
