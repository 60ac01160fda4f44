/**
 * What one blob says, apart from every path: the same bytes give the same facts in each commit and fork, so they are kept
 * under the blob's hash. Declarations, scopes, expressions and types are tables that refer to each other by index (`type`,
 * `value`, `returns`, `args` and the like are such indices); all is plain JSON.
 */

/** Raised whenever the extractors say something else about the same bytes; kept facts of another version are never read. */
export const FACTS_VERSION = 3;

export const LANGUAGES = [
  "typescript",
  "tsx",
  "javascript",
  "python",
  "go",
  "java",
  "rust",
  "ruby",
  "csharp",
  "php",
  "c",
  "cpp",
  "bash",
] as const;

export type Language = (typeof LANGUAGES)[number];

export type SymbolKind =
  | "module"
  | "namespace"
  | "class"
  | "interface"
  | "enum"
  | "type"
  | "function"
  | "method"
  | "field"
  | "variable"
  | "object";

/** A declaration. Index 0 is the file itself (kind `module`). */
export interface SymbolFact {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Lines count from 1. */
  readonly line: number;
  readonly endLine: number;
  /** The declaration around it; -1 for the file itself. */
  readonly parent: number;
  /** The scope that its body opens (where parameters and type parameters are bound). */
  readonly scope: number;
  /** Not shown as a symbol of the graph: a lambda, an object literal, an inline type. What it does counts for what is around it. */
  readonly hidden?: boolean;
  readonly exported?: boolean;
  readonly isStatic?: boolean;
  readonly isAsync?: boolean;
  readonly isGenerator?: boolean;
  /** Without a body: abstract, of an interface, an overload or a forward declaration. */
  readonly isAbstract?: boolean;
  /** Read without being called, though it is written as a method. */
  readonly isAccessor?: boolean;
  readonly isSetter?: boolean;
  /** Has no `this` of its own. */
  readonly isArrow?: boolean;
  readonly heritage?: readonly { readonly how: "extends" | "implements"; readonly type: number }[];
  readonly typeParameters?: readonly { readonly name: string; readonly bound?: number }[];
  /** Bindings (indices) of its parameters, in order. */
  readonly parameters?: readonly number[];
  /** The declared type: what a function returns, or what a variable, a field or a type alias is. */
  readonly type?: number;
  /** The expression that a variable or a field begins with. */
  readonly value?: number;
  /** The expressions that a function returns. */
  readonly returns?: readonly number[];
  /** The expressions that a generator yields. */
  readonly yields?: readonly number[];
  /** Where a lambda or an object literal is handed over: as that argument of a call, or where a type is expected. */
  readonly context?:
    | { readonly call: number; readonly argument: number }
    | { readonly type: number }
    | { readonly object: number; readonly key: string }
    | { readonly returnOf: number }
    /** Assigned to that expression. */
    | { readonly ofTarget: number };
  /** Decorators and annotations. */
  readonly decorators?: readonly number[];
}

/** A name in a scope: a declaration, an import, a parameter or a local variable. */
export interface BindingFact {
  readonly name: string;
  readonly scope: number;
  readonly line: number;
  readonly kind: "symbol" | "import" | "parameter" | "variable" | "type-parameter";
  /** Index into `symbols` or `imports`, by kind. */
  readonly target?: number;
  readonly type?: number;
  /** The expression that it begins with (of a parameter: its default). */
  readonly value?: number;
  /** The function whose parameter it is, and which. */
  readonly of?: number;
  readonly position?: number;
  readonly rest?: boolean;
}

export interface ScopeFact {
  /** -1 for the scope of the file, which has index 0. */
  readonly parent: number;
  /** The declaration whose body this is. */
  readonly symbol: number;
}

/** An expression; `scope` is where its names are looked up, `line` where it stands. */
export type ExpressionFact =
  | { readonly k: "name"; readonly name: string; readonly scope: number; readonly line: number; readonly call?: number }
  /** `call`: where methods have names of their own, apart from fields and variables, the call whose callee it is (Java). */
  | { readonly k: "member"; readonly of: number; readonly name: string; readonly line: number; readonly call?: number }
  | {
      readonly k: "call";
      readonly callee: number;
      readonly args: readonly number[];
      readonly line: number;
      readonly scope: number;
      readonly how?: "new" | "jsx" | "tag" | "decorator";
      readonly types?: readonly number[];
    }
  | { readonly k: "this"; readonly scope: number; readonly line: number }
  | { readonly k: "super"; readonly scope: number; readonly line: number }
  /** A function, class or object literal that is written as an expression. */
  | { readonly k: "symbol"; readonly symbol: number }
  | { readonly k: "literal"; readonly name: string }
  | { readonly k: "array"; readonly items: readonly number[] }
  | { readonly k: "tuple"; readonly items: readonly number[] }
  /** One of several: a conditional, `||`, `??`. */
  | { readonly k: "either"; readonly items: readonly number[] }
  | { readonly k: "await"; readonly of: number }
  /** What a loop over it, or an index into it, gives. */
  | { readonly k: "element"; readonly of: number }
  | { readonly k: "item"; readonly of: number; readonly index: number }
  /** What a look-up by a key that is not written out gives. */
  | { readonly k: "value"; readonly of: number }
  /** What `with x as y` binds. */
  | { readonly k: "enter"; readonly of: number }
  | { readonly k: "cast"; readonly type: number; readonly of?: number }
  | { readonly k: "spread"; readonly of: number }
  /** Made of others, of no type that is known: an operator, a template. */
  | { readonly k: "made"; readonly of: readonly number[] };

/** A written type; parts are indices into `types`. Names are looked up from `scope`. */
export type TypeFact =
  | {
      readonly k: "ref";
      readonly name: readonly string[];
      readonly scope: number;
      readonly line: number;
      readonly args?: readonly number[];
    }
  | { readonly k: "primitive"; readonly name: string }
  | { readonly k: "array"; readonly of: number }
  | { readonly k: "tuple"; readonly items: readonly number[] }
  | { readonly k: "union"; readonly items: readonly number[] }
  | { readonly k: "both"; readonly items: readonly number[] }
  /** A function type: a hidden declaration with parameters and a type. */
  | { readonly k: "function"; readonly symbol: number }
  /** An inline object type: a hidden interface. */
  | { readonly k: "object"; readonly symbol: number }
  /** `typeof x`: the expression. */
  | { readonly k: "query"; readonly of: number }
  | { readonly k: "lookup"; readonly of: number; readonly name: string }
  | { readonly k: "self" };

/** One imported name, or a whole module (`name` `*`). `module` is the specifier as it is written. */
export interface ImportFact {
  readonly module: string;
  /** The name in the other module: `default`, `*` for the module itself, or a declaration's name. */
  readonly name: string;
  /** The name here; absent when nothing is bound (a bare import, an include). */
  readonly local?: string;
  readonly line: number;
  readonly typeOnly?: boolean;
  /** Every exported name is bound here (`from x import *`, an include, a using). */
  readonly all?: boolean;
}

/** A name that this file gives others: its own, or another module's (`module`); `name` `*` re-exports all. */
export interface ExportFact {
  readonly name: string;
  readonly local?: string;
  readonly module?: string;
  readonly line: number;
  /** The expression of `export default …` or `module.exports = …`. */
  readonly value?: number;
}

/** `target = value`, somewhere in the code of `symbol`. */
export interface AssignmentFact {
  readonly target: number;
  readonly value: number;
  readonly line: number;
  readonly scope: number;
}

export interface BlobFacts {
  readonly version: number;
  readonly language: Language;
  /** The package or namespace that the file declares, dotted (Go, Java, C#, PHP). */
  readonly package?: string;
  readonly symbols: readonly SymbolFact[];
  readonly bindings: readonly BindingFact[];
  readonly scopes: readonly ScopeFact[];
  readonly expressions: readonly ExpressionFact[];
  readonly imports: readonly ImportFact[];
  readonly exports: readonly ExportFact[];
  readonly assignments: readonly AssignmentFact[];
  readonly types: readonly TypeFact[];
  readonly syntaxErrors?: { readonly count: number; readonly line: number };
  readonly lines: number;
}

/** Why a file has no facts. */
export interface NotIndexed {
  readonly path: string;
  readonly why: string;
}

/** Keeps facts between runs, under `factsKey`. A broken or missing entry is simply absent; writing may fail silently. */
export interface FactsCache {
  read(keys: readonly string[]): Promise<ReadonlyMap<string, BlobFacts>>;
  write(entries: ReadonlyMap<string, BlobFacts>): Promise<void>;
}

/** The key of a blob's facts: its hash, the language it is read as, the extractors' version. */
export function factsKey(blob: string, language: Language): string {
  return `${blob}:${language}:${FACTS_VERSION}`;
}
