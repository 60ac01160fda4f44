import type { BlobFacts } from "../facts.ts";

/** What is told of a blob's facts without unpacking them. */
export type FactsHead = Pick<BlobFacts, "version" | "language" | "package" | "lines" | "syntaxErrors">;

/** Kept facts that are no facts, though the file that held them is whole. */
export class DamagedFactsError extends Error {
  override readonly name = "DamagedFactsError";

  constructor() {
    super("What was kept of a file for the code graph cannot be read. Delete what is kept; it is made again.");
  }
}

/** Facts that are unpacked when something in them is first asked for, which throws a DamagedFactsError when they cannot be. */
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
    this.unpacked ??= this.unpack();
    if (this.unpacked === undefined) throw new DamagedFactsError();
    return this.unpacked;
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
