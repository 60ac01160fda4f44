/** Whether a job's name is one of those that a list means: `*` stands for anything, letters count without regard to case. */
export function isNamed(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(name.toLowerCase(), pattern.toLowerCase()));
}

/** In time linear in both: each part is looked for behind the one before it. */
function fits(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === pattern;
  const last = rest.at(-1) ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  const end = name.length - last.length;
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
