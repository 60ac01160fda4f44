/** What a command tells people about itself. */
export interface Described {
  /** One sentence, without a full stop. */
  readonly says: string;
  /** What may stand beside options, for people; without it nothing may. */
  readonly takes?: string;
  readonly options: Readonly<Record<string, { readonly type: "string" | "boolean"; readonly says: string }>>;
  /** Whole command lines that work as they stand. */
  readonly examples?: readonly string[];
  /** Where more is said, below docs/. */
  readonly page?: string;
}

/** Commands by what people want of them, in the order in which they meet them. */
export type Groups = Readonly<Record<string, readonly string[]>>;

/** Columns of a terminal that nobody has widened. */
const COLUMNS = 80;
const GAP = 2;

/** Every command in a line or two. */
export function overview(commands: Readonly<Record<string, Described>>, groups: Groups): string {
  const blocks = Object.entries(groups).map(([title, names]) => {
    const rows = names.map((name): Row => [[name, commands[name]?.takes].filter(Boolean).join(" "), commands[name]?.says ?? ""]);
    return `${title}\n${table(rows)}`;
  });
  return [
    "sallyport <command> [options]",
    ...blocks,
    [
      "sallyport <command> --help shows its options and examples.",
      "sallyport --version says which release this is.",
      "In a checkout of Sallyport itself: npm run --silent sallyport -- <command>",
    ].join("\n"),
    "",
  ].join("\n\n");
}

/** All of one command. */
export function usageOf(name: string, { says, takes, options, examples = [], page }: Described): string {
  const rows = Object.entries(options).map(([option, { type, says: why }]): Row => [`--${option}${type === "string" ? " …" : ""}`, why]);
  return [
    ["sallyport", name, takes, rows.length === 0 ? "" : "[options]"].filter(Boolean).join(" "),
    wrapped(`${says.slice(0, 1).toUpperCase()}${says.slice(1)}.`, COLUMNS).join("\n"),
    ...(rows.length === 0 ? [] : [table(rows)]),
    ...(examples.length === 0 ? [] : [`Examples\n${examples.map((example) => `  ${example}`).join("\n")}`]),
    ...(page === undefined ? [] : [`More: docs/${page}`]),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

type Row = readonly [label: string, says: string];

/** Two columns; a label that is too long for its column has a line of its own. */
function table(rows: readonly Row[]): string {
  const width = Math.min(22, Math.max(...rows.map(([label]) => label.length)));
  const indent = " ".repeat(2 * GAP + width);
  return rows
    .flatMap(([label, says]) => {
      const [first = "", ...rest] = wrapped(says, COLUMNS - indent.length);
      const head = label.length > width ? [`  ${label}`, `${indent}${first}`] : [`  ${label.padEnd(width + GAP)}${first}`];
      return [...head, ...rest.map((line) => `${indent}${line}`)];
    })
    .join("\n");
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
