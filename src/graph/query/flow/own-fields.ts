import type { FileFlow } from "./file-flow.ts";

/** A field that is written on the object itself and declared nowhere, as Python and Ruby have them: the class, and its name. */
export interface OwnField {
  readonly owner: number;
  readonly name: string;
}

/** The own field that `this.x` or `self.x` means; undefined for any other expression. */
export function ownFieldOf({ facts, bindingOf }: FileFlow, id: number): OwnField | undefined {
  const member = facts.expressions[id];
  if (member?.k !== "member") return undefined;
  const base = facts.expressions[member.of];
  if (base?.k !== "this" && base?.k !== "name") return undefined;
  if (base.k === "name") {
    const value = facts.bindings[bindingOf(member.of) ?? -1]?.value;
    if (value === undefined || facts.expressions[value]?.k !== "this") return undefined;
  }
  const owner = classAround(facts, base.scope);
  return owner === undefined ? undefined : { owner, name: member.name };
}

/** The other places of the file that mean the same field, those that write it with the value. */
export function placesOfOwnField(
  file: FileFlow,
  { owner, name }: OwnField,
): readonly { readonly expression: number; readonly written: number | undefined }[] {
  const written = new Map(file.facts.assignments.map(({ target, value }) => [target, value]));
  return file.facts.expressions.flatMap((_, expression) => {
    const field = ownFieldOf(file, expression);
    return field?.owner === owner && field.name === name ? [{ expression, written: written.get(expression) }] : [];
  });
}

function classAround({ scopes, symbols }: FileFlow["facts"], scope: number): number | undefined {
  let symbol = scopes[scope]?.symbol ?? -1;
  for (let steps = 0; symbol > 0 && steps < 100; symbol = symbols[symbol]?.parent ?? -1, steps++) {
    if (symbols[symbol]?.kind === "class") return symbol;
  }
  return undefined;
}
