/** A named node of a syntax tree, apart from the parser's memory. `text` is cut from the source when it is asked for. */
export interface PlainNode {
  readonly type: string;
  /** The name of its place in its parent, where the grammar gives one. */
  readonly field: string | undefined;
  readonly start: number;
  readonly end: number;
  /** Lines count from 1. */
  readonly line: number;
  readonly endLine: number;
  readonly children: readonly PlainNode[];
}

/** The child in a field. */
export function child(node: PlainNode, field: string): PlainNode | undefined {
  return node.children.find((each) => each.field === field);
}

export function childrenIn(node: PlainNode, field: string): readonly PlainNode[] {
  return node.children.filter((each) => each.field === field);
}

export function ofType(node: PlainNode, ...types: readonly string[]): PlainNode | undefined {
  return node.children.find((each) => types.includes(each.type));
}
