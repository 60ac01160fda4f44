import type { BlobFacts } from "../facts.ts";

/** What is told of a blob's facts without unpacking them. */
export type FactsHead = Pick<BlobFacts, "version" | "language" | "package" | "lines" | "syntaxErrors">;

/** Facts that are unpacked when something in them is first asked for. What cannot be unpacked counts as a file that could not be parsed. */
export function lazyFacts(head: FactsHead, unpack: () => BlobFacts | undefined): BlobFacts {
  return new LazyFacts(head, unpack);
}

class LazyFacts implements BlobFacts {
  readonly version: number;
  readonly language: BlobFacts["language"];
  declare readonly package?: string;
  declare readonly syntaxErrors?: { readonly count: number; readonly line: number };
  readonly lines: number;
  private readonly unpack: () => BlobFacts | undefined;
  private unpacked: BlobFacts | undefined;

  constructor(head: FactsHead, unpack: () => BlobFacts | undefined) {
    this.version = head.version;
    this.language = head.language;
    if (head.package !== undefined) this.package = head.package;
    if (head.syntaxErrors !== undefined) this.syntaxErrors = head.syntaxErrors;
    this.lines = head.lines;
    this.unpack = unpack;
  }

  private get all(): BlobFacts {
    return (this.unpacked ??= this.unpack() ?? { ...NOTHING, ...this });
  }

  get symbols() {
    return this.all.symbols;
  }

  get bindings() {
    return this.all.bindings;
  }

  get scopes() {
    return this.all.scopes;
  }

  get expressions() {
    return this.all.expressions;
  }

  get imports() {
    return this.all.imports;
  }

  get exports() {
    return this.all.exports;
  }

  get assignments() {
    return this.all.assignments;
  }

  get types() {
    return this.all.types;
  }
}

const NOTHING = {
  symbols: [{ name: "", kind: "module", line: 1, endLine: 1, parent: -1, scope: 0 }],
  bindings: [],
  scopes: [{ parent: -1, symbol: 0 }],
  expressions: [],
  imports: [],
  exports: [],
  assignments: [],
  types: [],
} as const;
