import type { BlobFacts, Language, NotIndexed, SymbolKind } from "./facts.ts";

/** A declaration of the repository as it is linked; `id` is its index in `CodeGraph.symbols` and holds for that graph only. */
export interface GraphSymbol {
  readonly id: number;
  readonly name: string;
  /** The names around it and its own, by dots: `MemoryStore.save`. A file's own symbol (kind `module`) has its path. */
  readonly qualified: string;
  readonly kind: SymbolKind;
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly isExported: boolean;
  readonly isTest: boolean;
  /** The declaration around it: a class, a function, at last the file's own symbol; undefined for that one. */
  readonly parent: number | undefined;
  /** Its index in the facts of its file. */
  readonly fact: number;
}

export type EdgeKind = "call" | "reference" | "inherits" | "implements" | "overrides" | "imports" | "tests";

/** `exact`: by scopes and imports alone; `inferred`: through types; `by-name`: only the name speaks for it. */
export type Confidence = "exact" | "inferred" | "by-name";

/** `from` calls, names, inherits … `to`; `path` and `line` are where it says so (in the file of `from`). */
export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  readonly kind: EdgeKind;
  readonly path: string;
  readonly line: number;
  readonly confidence: Confidence;
}

export type FileRole = "source" | "test" | "generated" | "vendored" | "configuration";

export interface GraphFile {
  readonly path: string;
  readonly blob: string;
  readonly language: Language;
  readonly role: FileRole;
  /** The file's own symbol. */
  readonly module: number;
  readonly lines: number;
  /** Set when the file could be parsed in part only. */
  readonly syntaxErrors?: { readonly count: number; readonly line: number };
}

/** What no edge stands for. */
export interface Unresolved {
  /** Call sites in all. */
  readonly calls: number;
  /** Of these: into packages and builtins outside the repository. */
  readonly external: number;
  /** Of these: to nobody knows where. */
  readonly unknown: number;
}

/** A repository as it is linked at one moment. Immutable. */
export interface CodeGraph {
  readonly symbols: readonly GraphSymbol[];
  readonly files: readonly GraphFile[];
  readonly notIndexed: readonly NotIndexed[];
  readonly unresolved: Unresolved;
  edgesFrom(id: number): readonly GraphEdge[];
  edgesTo(id: number): readonly GraphEdge[];
  file(path: string): GraphFile | undefined;
  /** The symbols of a file, in the order of the source. */
  symbolsOf(path: string): readonly GraphSymbol[];
  /** What the file says, for questions that go below symbols (flows of data). */
  factsOf(path: string): BlobFacts | undefined;
  /** The graph's symbol for a declaration of a file's facts; for a hidden one, the nearest around it. */
  symbolOfFact(path: string, fact: number): number | undefined;
  /** What an expression of a file's facts names or calls: symbols, none when it is unknown or outside. */
  targetsOf(path: string, expression: number): readonly { readonly id: number; readonly confidence: Confidence }[];
  /** Calls and type names of one file that lead to nothing in the repository and are not known to be outside. */
  unresolvedOf(path: string): readonly { readonly line: number; readonly name: string }[];
}

/** A file as it is handed in. Bytes are only read when no kept facts exist for the blob. */
export interface SourceFile {
  readonly path: string;
  /** The blob's hash, or any key that is the same for the same bytes. */
  readonly blob: string;
  /** In bytes, when known before reading. */
  readonly size?: number;
  bytes(): Uint8Array | Promise<Uint8Array>;
}

/** A graph that can be brought up to date: only what changed is read and linked again. */
export interface LiveGraph {
  readonly graph: CodeGraph;
  /** Applies changes and answers the graph after them; graphs answered before stay as they were. */
  update(changes: { readonly changed?: Iterable<SourceFile>; readonly removed?: Iterable<string> }): Promise<CodeGraph>;
}
