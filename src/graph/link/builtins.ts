import { alternatives, builtin, EXTERNAL, unionOf, UNKNOWN } from "./world.ts";
import type { Value, World } from "./world.ts";

type Builtin = Value & { readonly t: "builtin" };

/** A call of the platform's own: its arguments are looked at only where the answer depends on them. */
export interface BuiltinCall {
  readonly isNew: boolean;
  readonly types: readonly Value[];
  argument(at: number): Value;
  readonly world: World;
}

const SAME = new Set([
  "filter",
  "slice",
  "concat",
  "sort",
  "reverse",
  "toSorted",
  "toReversed",
  "splice",
  "toSpliced",
  "fill",
  "values",
  "copy",
  "stream",
  "iter",
  "add",
  "set",
  "union",
  "difference",
  "into_iter",
  "unwrap",
  "expect",
  "clone",
  "collect",
  "iter_mut",
  "drain",
  "rev",
  "skip",
  "take",
  "cloned",
  "copied",
  "peekable",
]);
const ONE = new Set([
  "at",
  "find",
  "findLast",
  "pop",
  "shift",
  "get",
  "first",
  "last",
  "next",
  "getFirst",
  "getLast",
  "remove",
  "poll",
  "peek",
]);
const OVER = new Set([
  "forEach",
  "map",
  "filter",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "some",
  "every",
  "flatMap",
  "group",
  "anyMatch",
  "allMatch",
  "removeIf",
  "replaceAll",
  "for_each",
  "filter_map",
  "find_map",
  "flat_map",
  "any",
  "all",
  "position",
  "retain",
  "inspect",
  "skip_while",
  "take_while",
  "max_by_key",
  "min_by_key",
  "sort_by_key",
]);
/** Methods of Rust's `Option`, `Result` and pointers that give what they hold, or themselves. */
const HELD = new Set([
  "unwrap",
  "expect",
  "unwrap_or",
  "unwrap_or_else",
  "unwrap_or_default",
  "ok",
  "ok_or",
  "ok_or_else",
  "map_err",
  "or",
  "or_else",
  "filter",
  "inspect",
  "as_ref",
  "as_mut",
  "as_deref",
  "as_deref_mut",
  "borrow",
  "borrow_mut",
  "lock",
  "read",
  "write",
  "clone",
  "cloned",
  "copied",
  "to_owned",
  "take",
  "replace",
  "insert",
  "get_or_insert",
  "get_or_insert_with",
  "into_inner",
]);
const OVER_HELD = new Set(["map", "and_then", "filter", "inspect", "is_some_and", "is_ok_and", "is_none_or"]);

/** The platform's global names that lead back to their arguments. */
const GLOBALS = new Set([
  "Object",
  "Array",
  "Promise",
  "Map",
  "Set",
  "WeakMap",
  "WeakSet",
  "Reflect",
  "structuredClone",
  "list",
  "tuple",
  "set",
  "dict",
  "sorted",
  "reversed",
  "iter",
  "next",
  "enumerate",
  "zip",
  "map",
  "filter",
  "max",
  "min",
  "copy",
  "deepcopy",
  "type",
  "append",
  "make",
  "len",
]);

/** A global of the platform, by name; all others are outside. */
export function globalValue(name: string): Value {
  return GLOBALS.has(name) ? builtin(`global:${name}`) : EXTERNAL;
}

/** A member of one of the platform's own values: a bound method, kept with its receiver. */
export function builtinMember(receiver: Builtin, name: string): Value {
  if (receiver.name === "Map" && name !== "" && !MAP_METHODS.has(name)) return receiver.args[1] ?? UNKNOWN;
  return builtin(`.${name}`, receiver);
}

const MAP_METHODS = new Set([
  "get",
  "set",
  "has",
  "delete",
  "keys",
  "values",
  "entries",
  "forEach",
  "size",
  "items",
  "pop",
  "setdefault",
  "update",
  "clear",
  "put",
  "getOrDefault",
  "computeIfAbsent",
  "containsKey",
  "entrySet",
  "copy",
  "remove",
]);

/** What a loop over a value gives. */
export function elementOf(value: Value): Value {
  return unionOf(
    alternatives(value).map((item) => {
      if (item.t !== "builtin") return item.t === "external" ? EXTERNAL : UNKNOWN;
      if (item.name === "Array") return item.args[0] ?? UNKNOWN;
      if (item.name === "tuple") return unionOf(item.args);
      return item.name === "Map" ? builtin("tuple", ...item.args) : UNKNOWN;
    }),
  );
}

/** What a promise holds; all else as it is. */
export function awaited(value: Value): Value {
  return unionOf(alternatives(value).map((item) => (item.t === "builtin" && item.name === "Promise" ? (item.args[0] ?? UNKNOWN) : item)));
}

function resultOfFunction(world: World, value: Value): Value {
  return unionOf(
    alternatives(value).map((item) => {
      if (item.t !== "itself") return UNKNOWN;
      if (item.of.fact.kind === "class") return { t: "instance" as const, of: item.of, args: [] };
      return item.of.fact.kind === "function" || item.of.fact.kind === "method"
        ? world.substitute(world.resultOf(item.of), item.given)
        : UNKNOWN;
    }),
  );
}

/** What a call of a builtin gives. */
export function builtinCall(callee: Builtin, call: BuiltinCall): Value {
  if (callee.name.startsWith("global:")) return globalCall(callee.name.slice(7), call);
  const [receiver] = callee.args;
  if (!callee.name.startsWith(".") || receiver?.t !== "builtin") return EXTERNAL;
  const name = callee.name.slice(1);
  if (receiver.name.startsWith("global:")) return staticCall(receiver.name.slice(7), name, call);
  switch (receiver.name) {
    case "Array":
    case "tuple":
      return onSequence(receiver, name, call);
    case "Map":
      return onMapping(receiver, name);
    case "Held":
      return onHeld(receiver.args[0] ?? UNKNOWN, name, call);
    case "Promise":
      if (name === "then") return builtin("Promise", awaited(resultOfFunction(call.world, call.argument(0))));
      return name === "catch" || name === "finally" ? receiver : EXTERNAL;
    default:
      return name === "split" || name === "matchAll" ? builtin("Array", builtin("string")) : EXTERNAL;
  }
}

function onSequence(receiver: Builtin, name: string, call: BuiltinCall): Value {
  if (receiver.name === "tuple" && (name === "getKey" || name === "getValue")) return receiver.args[name === "getKey" ? 0 : 1] ?? UNKNOWN;
  if (SAME.has(name)) return builtin("Array", elementOf(receiver));
  if (ONE.has(name)) return elementOf(receiver);
  if (name === "map") return builtin("Array", resultOfFunction(call.world, call.argument(0)));
  if (name === "flatMap")
    return builtin(
      "Array",
      unionOf(
        alternatives(resultOfFunction(call.world, call.argument(0))).map((item) =>
          item.t === "builtin" && item.name === "Array" ? elementOf(item) : item,
        ),
      ),
    );
  if (name === "reduce" || name === "reduceRight") {
    const start = call.argument(1);
    return start.t === "unknown" ? unionOf([resultOfFunction(call.world, call.argument(0)), elementOf(receiver)]) : start;
  }
  if (name === "entries" || name === "enumerate") return builtin("Array", builtin("tuple", builtin("number"), elementOf(receiver)));
  if (name === "fold") return call.argument(0);
  if (name === "flat") return builtin("Array", elementOf(elementOf(receiver)));
  return EXTERNAL;
}

function onHeld(value: Value, name: string, call: BuiltinCall): Value {
  if (HELD.has(name)) return value;
  if (name === "map" || name === "and_then") return resultOfFunction(call.world, call.argument(0));
  if (name === "map_or") return unionOf([call.argument(0), resultOfFunction(call.world, call.argument(1))]);
  if (name === "map_or_else")
    return unionOf([resultOfFunction(call.world, call.argument(0)), resultOfFunction(call.world, call.argument(1))]);
  return name === "iter" || name === "into_iter" ? builtin("Array", value) : UNKNOWN;
}

function onMapping(receiver: Builtin, name: string): Value {
  const [key = UNKNOWN, value = UNKNOWN] = receiver.args;
  if (["get", "pop", "setdefault", "put", "getOrDefault", "computeIfAbsent", "remove"].includes(name)) return value;
  if (name === "values") return builtin("Array", value);
  if (name === "keys") return builtin("Array", key);
  if (name === "entries" || name === "items" || name === "entrySet") return builtin("Array", builtin("tuple", key, value));
  return name === "set" || name === "copy" ? receiver : EXTERNAL;
}

function staticCall(owner: string, name: string, call: BuiltinCall): Value {
  const first = () => call.argument(0);
  if (owner === "Object") {
    if (name === "values") return builtin("Array", valuesOf(first()));
    if (name === "entries") return builtin("Array", builtin("tuple", builtin("string"), valuesOf(first())));
    if (name === "assign") return unionOf([first(), call.argument(1)]);
    if (["freeze", "seal", "create"].includes(name)) return first();
    return name === "keys" ? builtin("Array", builtin("string")) : EXTERNAL;
  }
  if (owner === "Array" && (name === "from" || name === "of")) return builtin("Array", name === "of" ? first() : elementOf(first()));
  if (owner === "Promise") {
    if (name === "all" || name === "allSettled") {
      const list = first();
      if (list.t === "builtin" && list.name === "tuple") return builtin("Promise", builtin("tuple", ...list.args.map(awaited)));
      return builtin("Promise", builtin("Array", awaited(elementOf(list))));
    }
    if (name === "resolve") return builtin("Promise", awaited(first()));
    if (name === "race" || name === "any") return builtin("Promise", awaited(elementOf(first())));
  }
  return EXTERNAL;
}

function valuesOf(value: Value): Value {
  return value.t === "builtin" && value.name === "Map" ? (value.args[1] ?? UNKNOWN) : value.t === "external" ? EXTERNAL : UNKNOWN;
}

function globalCall(name: string, call: BuiltinCall): Value {
  const [first = UNKNOWN, second = UNKNOWN] = call.types;
  switch (name) {
    case "Array":
    case "Set":
      return builtin("Array", call.types.length > 0 ? first : elementOf(call.argument(0)));
    case "Map":
    case "WeakMap": {
      if (call.types.length > 0) return builtin("Map", first, second);
      const pair = elementOf(call.argument(0));
      return pair.t === "builtin" && pair.name === "tuple" ? builtin("Map", ...pair.args) : builtin("Map", UNKNOWN, UNKNOWN);
    }
    case "structuredClone":
    case "copy":
    case "deepcopy":
    case "append":
      return call.argument(0);
    case "list":
    case "tuple":
    case "set":
    case "sorted":
    case "reversed":
    case "iter":
      return builtin("Array", elementOf(call.argument(0)));
    case "next":
    case "max":
    case "min":
      return elementOf(call.argument(0));
    case "enumerate":
      return builtin("Array", builtin("tuple", builtin("number"), elementOf(call.argument(0))));
    case "zip":
      return builtin("Array", builtin("tuple", elementOf(call.argument(0)), elementOf(call.argument(1))));
    case "map":
      return builtin("Array", resultOfFunction(call.world, call.argument(0)));
    case "filter":
      return builtin("Array", elementOf(call.argument(1)));
    case "make":
      return call.argument(0);
    default:
      return EXTERNAL;
  }
}

/** The parameters that a builtin hands to a lambda. */
export function builtinCallback(callee: Builtin, argument: number, value: (at: number) => Value): Value {
  const [receiver] = callee.args;
  if (!callee.name.startsWith(".") || receiver?.t !== "builtin") return UNKNOWN;
  const name = callee.name.slice(1);
  if (receiver.name === "Held") {
    const isLast = argument === 1 && (name === "map_or" || name === "map_or_else");
    return (argument === 0 && OVER_HELD.has(name)) || isLast ? builtin("callback", receiver.args[0] ?? UNKNOWN) : UNKNOWN;
  }
  if (receiver.name === "Promise") return argument === 0 && name === "then" ? builtin("callback", awaited(receiver)) : UNKNOWN;
  if (receiver.name === "Map")
    return name === "forEach" ? builtin("callback", receiver.args[1] ?? UNKNOWN, receiver.args[0] ?? UNKNOWN) : UNKNOWN;
  if (receiver.name === "global:Array" && name === "from")
    return argument === 1 ? builtin("callback", elementOf(value(0)), builtin("number")) : UNKNOWN;
  if (receiver.name !== "Array" && receiver.name !== "tuple") return UNKNOWN;
  const element = elementOf(receiver);
  if (OVER.has(name)) return builtin("callback", element, builtin("number"), receiver);
  if (name === "sort" || name === "toSorted") return builtin("callback", element, element);
  if (name === "fold") return argument === 1 ? builtin("callback", value(0), element) : UNKNOWN;
  if (name === "reduce" || name === "reduceRight") {
    const start = value(1);
    return builtin("callback", start.t === "unknown" ? element : start, element, builtin("number"));
  }
  return UNKNOWN;
}
