import { FACTS_VERSION } from "../facts.ts";
import type {
  AssignmentFact,
  BindingFact,
  BlobFacts,
  ExportFact,
  ExpressionFact,
  ImportFact,
  Language,
  ScopeFact,
  SymbolFact,
  TypeFact,
} from "../facts.ts";

type Draft<Fact> = { -readonly [Key in keyof Fact]: Fact[Key] };
export type SymbolDraft = Draft<Omit<SymbolFact, "returns" | "yields">> & { returns?: number[]; yields?: number[] };
export type BindingDraft = Draft<BindingFact>;

/** Where the walk stands: the declaration whose code it is, and the scope in which names are looked up. */
export interface Place {
  readonly symbol: number;
  readonly scope: number;
  /** Where plain assignments bind, when that is another scope than the one that names are looked up from. */
  readonly bindings?: number;
}

const NOTHING: ExpressionFact = { k: "made", of: [] };

/**
 * A declaration's row. Written out, its names always in the same order: what is spread is copied name by name, and gives rows of many shapes,
 * which all who read them pay for.
 */
function declaration(fact: Omit<SymbolDraft, "parent" | "scope">, parent: number, scope: number): SymbolDraft {
  const { name, kind, line, endLine } = fact;
  const row: SymbolDraft = { name, kind, line, endLine, parent, scope };
  if (fact.hidden !== undefined) row.hidden = fact.hidden;
  if (fact.exported !== undefined) row.exported = fact.exported;
  if (fact.isStatic !== undefined) row.isStatic = fact.isStatic;
  if (fact.isAsync !== undefined) row.isAsync = fact.isAsync;
  if (fact.isGenerator !== undefined) row.isGenerator = fact.isGenerator;
  if (fact.isAbstract !== undefined) row.isAbstract = fact.isAbstract;
  if (fact.isAccessor !== undefined) row.isAccessor = fact.isAccessor;
  if (fact.isSetter !== undefined) row.isSetter = fact.isSetter;
  if (fact.isArrow !== undefined) row.isArrow = fact.isArrow;
  if (fact.heritage !== undefined) row.heritage = fact.heritage;
  if (fact.typeParameters !== undefined) row.typeParameters = fact.typeParameters;
  if (fact.parameters !== undefined) row.parameters = fact.parameters;
  if (fact.type !== undefined) row.type = fact.type;
  if (fact.value !== undefined) row.value = fact.value;
  if (fact.returns !== undefined) row.returns = fact.returns;
  if (fact.yields !== undefined) row.yields = fact.yields;
  if (fact.context !== undefined) row.context = fact.context;
  if (fact.decorators !== undefined) row.decorators = fact.decorators;
  return row;
}

/** The tables of one file while an extractor fills them. Index 0 of symbols and scopes is the file itself. */
export class FactsDraft {
  readonly symbols: SymbolDraft[] = [];
  readonly bindings: BindingDraft[] = [];
  readonly scopes: ScopeFact[] = [];
  readonly expressions: ExpressionFact[] = [];
  readonly types: TypeFact[] = [];
  readonly imports: ImportFact[] = [];
  readonly exports: ExportFact[] = [];
  readonly assignments: AssignmentFact[] = [];
  private readonly literals = new Map<string, ExpressionFact>();
  readonly top: Place = { symbol: 0, scope: 0 };
  readonly language: Language;
  readonly lines: number;
  package: string | undefined;

  constructor(language: Language, lines: number) {
    this.language = language;
    this.lines = lines;
    this.symbols.push({ name: "", kind: "module", line: 1, endLine: lines, parent: -1, scope: 0 });
    this.scopes.push({ parent: -1, symbol: 0 });
  }

  /** A declaration with a scope of its own below `place`. */
  declare(place: Place, fact: Omit<SymbolDraft, "parent" | "scope">): Place {
    const symbol = this.symbols.length;
    const scope = this.scope(place.scope, symbol);
    this.symbols.push(declaration(fact, place.symbol, scope));
    return { symbol, scope };
  }

  scope(parent: number, symbol: number): number {
    return this.scopes.push({ parent, symbol }) - 1;
  }

  draft(symbol: number): SymbolDraft {
    const found = this.symbols[symbol];
    if (found === undefined) throw new RangeError(`There is no declaration ${symbol}.`);
    return found;
  }

  bind(binding: BindingDraft): number {
    return this.bindings.push(binding) - 1;
  }

  bindSymbol(name: string, scope: number, symbol: number, line: number): void {
    this.bind({ name, scope, line, kind: "symbol", target: symbol });
  }

  import(fact: ImportFact, scope: number): void {
    const target = this.imports.push(fact) - 1;
    if (fact.local !== undefined) this.bind({ name: fact.local, scope, line: fact.line, kind: "import", target });
  }

  expression(fact: ExpressionFact): number {
    return this.expressions.push(fact) - 1;
  }

  /** A value of the platform. One row serves all of its type, since it says nothing of where it stands. */
  literal(name: string): number {
    let found = this.literals.get(name);
    if (found === undefined) this.literals.set(name, (found = { k: "literal", name }));
    return this.expression(found);
  }

  /** Made of nothing that is followed. */
  nothing(): number {
    return this.expression(NOTHING);
  }

  /** A place in the table for an expression whose parts must know it. */
  reserve(): number {
    return this.expression(NOTHING);
  }

  fill(index: number, fact: ExpressionFact): number {
    this.expressions[index] = fact;
    return index;
  }

  type(fact: TypeFact): number {
    return this.types.push(fact) - 1;
  }

  addReturn(symbol: number, expression: number): void {
    const draft = this.draft(symbol);
    if (draft.returns === undefined) draft.returns = [expression];
    else draft.returns.push(expression);
  }

  addYield(symbol: number, expression: number): void {
    const draft = this.draft(symbol);
    if (draft.yields === undefined) draft.yields = [expression];
    else draft.yields.push(expression);
  }

  facts(syntaxErrors?: { count: number; line: number }): BlobFacts {
    return {
      version: FACTS_VERSION,
      language: this.language,
      ...(this.package === undefined ? {} : { package: this.package }),
      symbols: this.symbols,
      bindings: this.bindings,
      scopes: this.scopes,
      expressions: this.expressions,
      types: this.types,
      imports: this.imports,
      exports: this.exports,
      assignments: this.assignments,
      lines: this.lines,
      ...(syntaxErrors === undefined ? {} : { syntaxErrors }),
    };
  }
}
