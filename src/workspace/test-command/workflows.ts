import { parseDocument } from "yaml";
import { YAML_OPTIONS, yamlFault } from "../../text/yaml-fault.ts";
import type { ReadBase, TestCommand } from "./candidate.ts";
import { readable, testCommandsOf } from "./plausible.ts";

const FOLDER = ".github/workflows";
/** Names that repositories give to the workflow that tests; the first ones are asked for first. */
const USUAL = [
  "ci",
  "test",
  "tests",
  "build",
  "main",
  "check",
  "checks",
  "node.js",
  "node",
  "python-package",
  "go",
  "rust",
  "pr",
  "pull-request",
];
const NAMED_FOR_TESTS = /^(?:ci|tests?|checks?|build|main|unit)\b/i;
const MOST_FILES = 20;
/** No workflow is near it, in UTF-16 units. */
const LONGEST = 256 * 1024;

/** The steps of CI that run tests, from the workflow that is most likely the one: its name, its triggers, then the alphabet. */
export async function fromWorkflows(read: ReadBase, list?: (folder: string) => Promise<readonly string[]>): Promise<TestCommand[]> {
  const listed = list === undefined ? undefined : await list(FOLDER).catch(() => undefined);
  const names = listed ?? USUAL.flatMap((name) => [`${name}.yml`, `${name}.yaml`]);
  const files = names
    .map((name) => name.slice(name.lastIndexOf("/") + 1))
    .filter((name) => /\.ya?ml$/.test(name))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, listed === undefined ? Infinity : MOST_FILES);
  const found: TestCommand[] = [];
  for (const name of files) {
    const source = `${FOLDER}/${name}`;
    const text = readable(await read(source));
    if (text === undefined) continue;
    for (const command of testsOf(text)) found.push({ command, source, confidence: "high" });
  }
  return found;
}

function rank(name: string): number {
  const stem = name.replace(/\.ya?ml$/, "");
  const usual = USUAL.indexOf(stem);
  if (usual >= 0) return usual;
  return NAMED_FOR_TESTS.test(stem) ? USUAL.length : USUAL.length + 1;
}

function testsOf(text: string): string[] {
  const workflow = record(tolerantYaml(text));
  if (workflow === undefined || !startsOnCode(workflow["on"])) return [];
  const commands: string[] = [];
  for (const job of Object.values(record(workflow["jobs"]) ?? {})) {
    const steps = record(job)?.["steps"];
    if (!Array.isArray(steps)) continue;
    const place = directoryOf(record(job)?.["defaults"]) ?? directoryOf(workflow["defaults"]);
    for (const step of steps) commands.push(...testsOfStep(record(step), place));
  }
  return commands;
}

function testsOfStep(step: Readonly<Record<string, unknown>> | undefined, place: string | undefined): string[] {
  const script = step?.["run"];
  if (step === undefined || typeof script !== "string") return [];
  // A step that is given secrets does something else than testing what is here.
  if (/\bsecrets\.|github\.token/i.test(JSON.stringify(step["env"] ?? {}))) return [];
  const shell = step["shell"];
  if (typeof shell === "string" && !/^(?:bash|sh)\b/.test(shell)) return [];
  const folder = typeof step["working-directory"] === "string" ? step["working-directory"] : place;
  if (folder !== undefined && !/^(?:\.|[\w.-]+(?:\/[\w.-]+)*)\/?$/.test(folder.replace(/^\.\//, ""))) return [];
  if (folder?.split("/").includes("..") === true) return [];
  const inside = folder === undefined || folder.replace(/^\.\//, "").replace(/^\.$/, "") === "" ? "" : `cd ${folder} && `;
  return testCommandsOf(script).map((command) => `${inside}${command}`);
}

/** Releases, schedules and calls by hand alone are not how a change is tested. */
function startsOnCode(on: unknown): boolean {
  const names = typeof on === "string" ? [on] : Array.isArray(on) ? on : Object.keys(record(on) ?? {});
  return names.some((name) => name === "push" || name === "pull_request" || name === "merge_group" || name === "workflow_call");
}

function directoryOf(defaults: unknown): string | undefined {
  const folder = record(record(defaults)?.["run"])?.["working-directory"];
  return typeof folder === "string" ? folder : undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

function tolerantYaml(text: string): unknown {
  if (text.length > LONGEST) return undefined;
  try {
    const document = parseDocument(text, YAML_OPTIONS);
    return yamlFault(document) === undefined ? (document.toJS({ maxAliasCount: 100 }) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
