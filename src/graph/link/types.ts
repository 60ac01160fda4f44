import type { TypeFact } from "../facts.ts";
import { givenBy } from "./substitute.ts";
import { builtin, EXTERNAL, unionOf, UNKNOWN } from "./world.ts";
import type { Declared, Resolution, Unit, Value, World } from "./world.ts";

/** Types that wrap or pass on their argument, by the names that the languages give them. */
const PASSES_ON = new Set([
  "Readonly",
  "Partial",
  "Required",
  "NonNullable",
  "Omit",
  "Pick",
  "Optional",
  "Final",
  "ClassVar",
  "Annotated",
  "Mutable",
  "Box",
  "Rc",
  "Arc",
  "Ref",
  "NoInfer",
  "Writable",
  "Required",
  "NotRequired",
  "ReadOnly",
]);
const SEQUENCES = new Set([
  "Array",
  "ReadonlyArray",
  "Set",
  "ReadonlySet",
  "Iterable",
  "Iterator",
  "IterableIterator",
  "Generator",
  "AsyncIterable",
  "AsyncIterator",
  "AsyncGenerator",
  "AsyncIterableIterator",
  "ArrayLike",
  "list",
  "List",
  "set",
  "frozenset",
  "Sequence",
  "MutableSequence",
  "Collection",
  "Iterable",
  "deque",
  "Deque",
  "FrozenSet",
  "ArrayList",
  "LinkedList",
  "HashSet",
  "Stream",
  "Queue",
  "Vec",
  "VecDeque",
  "IEnumerable",
  "IList",
  "AbstractSet",
  "WeakSet",
  "Slice",
]);
const MAPPINGS = new Set([
  "Map",
  "ReadonlyMap",
  "WeakMap",
  "Record",
  "dict",
  "Dict",
  "Mapping",
  "MutableMapping",
  "DefaultDict",
  "defaultdict",
  "OrderedDict",
  "HashMap",
  "TreeMap",
  "BTreeMap",
  "IDictionary",
  "Dictionary",
  "ConcurrentHashMap",
]);
const PROMISES = new Set(["Promise", "PromiseLike", "Awaitable", "Coroutine", "Future", "Task", "CompletableFuture"]);

/** What a written type stands for. */
export function typeValue(world: World, unit: Unit, index: number): Value {
  const fact = unit.facts.types[index];
  if (fact === undefined) return UNKNOWN;
  switch (fact.k) {
    case "ref":
      return reference(world, unit, fact);
    case "primitive":
      return fact.name === "unknown" ? UNKNOWN : builtin(fact.name);
    case "array":
      return builtin("Array", world.type(unit, fact.of));
    case "tuple":
      return builtin("tuple", ...fact.items.map((item) => world.type(unit, item)));
    case "union":
    case "both":
      return unionOf(fact.items.map((item) => world.type(unit, item)));
    case "function":
      return { t: "itself", of: world.declared(unit, fact.symbol) };
    case "object":
      return { t: "instance", of: world.declared(unit, fact.symbol), args: [] };
    case "query":
      return world.resolve(unit, fact.of).value;
    case "lookup":
      return fact.name === "" ? UNKNOWN : world.member(world.type(unit, fact.of), fact.name).value;
    case "self":
      return { t: "parameter", key: "self", bound: undefined };
  }
}

function reference(world: World, unit: Unit, fact: TypeFact & { k: "ref" }): Value {
  const [head = "", ...rest] = fact.name;
  const args = (fact.args ?? []).map((arg) => world.type(unit, arg));
  let found = world.name(unit, fact.scope, head);
  for (const segment of rest) if (found !== undefined) found = world.member(found.value, segment);
  for (const { declared } of found?.targets ?? []) world.depend(unit, declared.unit);
  const last = fact.name.at(-1) ?? head;
  const value = found === undefined ? EXTERNAL : asType(world, found, args);
  return value.t === "external" || value.t === "unknown" ? platformType(last, args, value) : value;
}

/** The type that a name stands for: an instance of its class, what an alias says. */
function asType(world: World, found: Resolution, args: readonly Value[]): Value {
  const [target] = found.targets.filter(({ declared }) => declared.fact.kind !== "function").concat(found.targets);
  if (target === undefined) {
    if (found.value.t === "parameter" || found.value.t === "external") return found.value;
    return asInstance(found.value, args);
  }
  const { declared } = target;
  switch (declared.fact.kind) {
    case "class":
    case "interface":
    case "enum":
      return { t: "instance", of: declared, args: args.length > 0 ? args : defaults(world, declared) };
    case "type": {
      const aliased = declared.fact.type === undefined ? UNKNOWN : world.type(declared.unit, declared.fact.type);
      return world.substitute(aliased, givenBy(declared, args));
    }
    case "field":
    case "function":
    case "method":
    case "module":
    case "namespace":
    case "object":
    case "variable":
    default:
      return asInstance(world.valueOf(declared), args);
  }
}

/** Missing type arguments are the parameters' bounds and defaults. */
function defaults(world: World, declared: Declared): readonly Value[] {
  const parameters = declared.fact.typeParameters ?? [];
  if (parameters.every(({ bound }) => bound === undefined)) return [];
  return parameters.map(({ bound }) => (bound === undefined ? UNKNOWN : world.type(declared.unit, bound)));
}

/** `X = SomeClass` used as a type: an instance of what it holds. */
function asInstance(value: Value, args: readonly Value[]): Value {
  if (value.t === "itself" && value.of.fact.kind === "class") return { t: "instance", of: value.of, args };
  if (value.t === "union") return unionOf(value.items.map((item) => asInstance(item, args)));
  if (value.t === "instance" || value.t === "builtin") return value;
  return value.t === "external" ? EXTERNAL : UNKNOWN;
}

/** Types of the platforms that lead on to their arguments; all others end outside. */
function platformType(name: string, args: readonly Value[], otherwise: Value): Value {
  const [first = UNKNOWN, second = UNKNOWN] = args;
  if (SEQUENCES.has(name)) return builtin("Array", first);
  if (MAPPINGS.has(name)) return builtin("Map", first, second);
  if (PROMISES.has(name)) return builtin("Promise", name === "Coroutine" ? (args[2] ?? UNKNOWN) : first);
  if (PASSES_ON.has(name)) return first;
  if (name === "Union" || name === "Literal") return args.length === 0 ? UNKNOWN : unionOf(args);
  if (name === "tuple" || name === "Tuple" || (name === "Entry" && args.length === 2)) return builtin("tuple", ...args);
  if (name === "Type" || name === "type" || name === "Class") return ofInstance(first);
  if (name === "Awaited") return first.t === "builtin" && first.name === "Promise" ? (first.args[0] ?? UNKNOWN) : first;
  if (name === "Self") return { t: "parameter", key: "self", bound: undefined };
  if (name === "Any" || name === "any" || name === "object") return UNKNOWN;
  return otherwise;
}

function ofInstance(value: Value): Value {
  return value.t === "instance" ? { t: "itself", of: value.of } : UNKNOWN;
}
