import { UnreadableError, type Facts, type Requirement, type Setting, type Wanted } from "./facts.ts";

/** Elements that tell people something and decide nothing. */
const HARMLESS =
  /<(name|description|inceptionYear|url|organization|developers|contributors|licenses|mailingLists|scm|issueManagement|ciManagement)>[^]*?<\/\1>/g;
const PLAIN_VERSION = /^\d[\w.+-]*$/;

/**
 * pom.xml, as far as it is plain: dependencies with their versions, repositories, and everything else as `rest`. It is read by its text,
 * so what could make the text mean something else (entities, CDATA, processing) is refused. @throws {UnreadableError}
 */
export function readPom(text: string): Facts {
  const plain = text.replace(/^\ufeff?\s*<\?xml[^>]*\?>/, "").replace(/<!--[^]*?-->/g, "");
  if (/<!|<\?|&(?!(?:lt|gt|amp|quot|apos);)/.test(plain))
    throw new UnreadableError("holds an entity, a section or a declaration that a reader may expand");
  if (!/<project[\s>]/.test(plain)) throw new UnreadableError("is no pom.xml");
  const properties = propertiesOf(plain);
  const requirements: Requirement[] = [];
  let rest = plain.replace(/<dependency>((?:(?!<dependency>)[^])*?)<\/dependency>/g, (whole, inside: string) => {
    const fields = fieldsOf(inside);
    if (fields === undefined) return whole;
    const { groupId = "", artifactId = "", version } = fields;
    requirements.push({
      name: `${groupId}:${artifactId}`,
      section: "dependencies",
      spec: version ?? "",
      wanted: wantedBy(version, properties),
    });
    // A path or another kind of file is more than a version.
    return fields["systemPath"] === undefined && fields["scope"] !== "system" ? "" : whole;
  });
  const settings = [...rest.matchAll(/<(repository|pluginRepository|snapshotRepository)>([^]*?)<\/\1>/g)].map(
    ([, key = "", value = ""]): Setting => ({ kind: "source", key, value: squeezed(value), why: "it decides where packages come from" }),
  );
  const used = new Set(requirements.flatMap(({ spec }) => /^\$\{([\w.-]+)\}$/.exec(spec)?.[1] ?? []));
  rest = rest
    .replace(HARMLESS, "")
    .replace(/<([\w.-]+)>([^<]*)<\/\1>/g, (whole, name: string, value: string) =>
      used.has(name) && PLAIN_VERSION.test(value.trim()) ? "" : whole,
    );
  // The project's own version stands before any list and after no parent's.
  rest = rest.replace(
    /(<\/parent>|<project[^>]*>)((?:(?!<(?:parent|dependencies|build|profiles|properties)>)[^])*?)<version>[^<]*<\/version>/,
    "$1$2",
  );
  return { requirements, settings, locked: [], rest: squeezed(rest) };
}

/** The plain child elements of a dependency; undefined when there is anything else in it. */
function fieldsOf(inside: string): Readonly<Record<string, string>> | undefined {
  const fields = Object.create(null) as Record<string, string>;
  const rest = inside
    .replace(/<exclusions>[^]*?<\/exclusions>/, "")
    .replace(/<(groupId|artifactId|version|scope|type|classifier|optional|systemPath)>([^<]*)<\/\1>/g, (_, name: string, value: string) => {
      fields[name] = name in fields ? "?" : value.trim();
      return "";
    });
  return rest.trim() === "" ? fields : undefined;
}

function propertiesOf(text: string): ReadonlyMap<string, string> {
  const block = /<properties>([^]*?)<\/properties>/.exec(text)?.[1] ?? "";
  return new Map([...block.matchAll(/<([\w.-]+)>([^<]*)<\/\1>/g)].map(([, name = "", value = ""]) => [name, value.trim()]));
}

function wantedBy(version: string | undefined, properties: ReadonlyMap<string, string>): Wanted {
  const property = /^\$\{([\w.-]+)\}$/.exec(version ?? "")?.[1];
  const said = property === undefined ? version : properties.get(property);
  if (said === undefined) return { kind: "registry" };
  if (PLAIN_VERSION.test(said)) return { kind: "registry", version: said, lowest: said };
  const exact = /^\[\s*(\d[\w.+-]*)\s*\]$/.exec(said)?.[1];
  return exact === undefined ? { kind: "registry", isOpen: true } : { kind: "registry", version: exact, lowest: exact };
}

/** White space between elements and around texts means nothing in a pom. */
export function squeezed(text: string): string {
  return text.replace(/\s+/g, " ").replace(/> </g, "><").trim();
}
