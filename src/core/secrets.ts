/** Values shorter than this are not masked: they would turn ordinary words into stars. */
const SHORTEST_SECRET = 8;

/** The values of secrets that this process holds, and the one function that takes them out of a text. */
export interface HeldSecrets {
  /** From now on `value` is masked; short or empty values are ignored. */
  add(value: string | undefined): void;
  values(): readonly string[];
  /** The text with every held value replaced by `***`, also as JSON escapes it. */
  mask(text: string): string;
}

/** Starts with `values`; grows as tokens are issued. */
export function holdSecrets(values: readonly (string | undefined)[] = []): HeldSecrets {
  const held = new Set<string>();
  const forms = new Set<string>();
  const add = (value: string | undefined): void => {
    if (value === undefined || value.trim().length < SHORTEST_SECRET || held.has(value)) return;
    held.add(value);
    forms.add(value);
    // A key of several lines appears escaped inside JSON, such as a log line or a request's body.
    forms.add(JSON.stringify(value).slice(1, -1));
    for (const line of value.split("\n")) if (line.length >= 40) forms.add(line);
  };
  values.forEach(add);
  return {
    add,
    values: () => [...held],
    mask(text) {
      let masked = text;
      for (const form of [...forms].sort((a, b) => b.length - a.length)) masked = masked.replaceAll(form, "***");
      return masked;
    },
  };
}
