import picomatch from "picomatch";

/** What the configuration asks of changes: of all, and of those to paths that match a glob. */
export interface Instructions {
  readonly all?: string;
  readonly paths: Readonly<Record<string, string>>;
}

/** What of it concerns a change of these paths. */
export function instructionsFor({ paths, ...rest }: Instructions, changed: readonly string[]): Instructions {
  const concerned = Object.entries(paths).filter(([glob]) => {
    const matches = picomatch(glob, { dot: true });
    return changed.some((path) => matches(path));
  });
  return { ...rest, paths: Object.fromEntries(concerned) };
}
