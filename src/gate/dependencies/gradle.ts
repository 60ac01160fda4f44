import type { Facts, Requirement } from "./facts.ts";

/** Words of a build script that decide where packages or plugins come from, or fetch more of the script. */
const DECIDES =
  /\b(repositories|maven|ivy|url|uri|flatDir|buildscript|classpath|plugins?|pluginManagement|apply|includeBuild|includeFlat|exec|files|fileTree|resolutionStrategy|substitute|force|dependencySubstitution)\b|https?:|\bid\s*[("']/i;
const COORDINATES = /["']([\w.-]+):([\w.-]+):([^"':@$]+)(?:[:@][\w.-]+)?["']/g;

/** Longest line that is read, in characters; a longer one counts as one that decides. */
const LONGEST = 1_000;

/** Gradle's scripts are programs: coordinates are read, and the lines that decide where packages come from are `rest`. */
export function readGradle(text: string): Facts {
  const requirements: Requirement[] = [];
  const rest: string[] = [];
  for (const raw of withoutBlockComments(text).split(/\r?\n/)) {
    const line = raw.replace(/(^|\s)\/\/.*$/, "").trim();
    if (line.length > LONGEST) {
      rest.push(line);
      continue;
    }
    const found = [...line.matchAll(COORDINATES)];
    for (const [, group = "", artifact = "", version = ""] of found) {
      const isExact = /^\d[\w.-]*$/.test(version);
      requirements.push({
        name: `${group}:${artifact}`,
        section: "dependencies",
        spec: version,
        wanted: isExact ? { kind: "registry", version, lowest: version } : { kind: "registry", isOpen: true },
      });
    }
    if (DECIDES.test(line.replace(COORDINATES, ""))) rest.push(line);
  }
  return { requirements, settings: [], locked: [], rest: rest.join("\n") };
}

function withoutBlockComments(text: string): string {
  const [first = "", ...parts] = text.split("/*");
  return [first, ...parts.map((part) => (part.includes("*/") ? part.slice(part.indexOf("*/") + 2) : `/*${part}`))].join("");
}
