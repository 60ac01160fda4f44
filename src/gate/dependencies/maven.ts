import { UnreadableError, type Facts, type Requirement, type Setting, type Wanted } from "./facts.ts";

/** Elements that tell people something and decide nothing. */
const HARMLESS = [
  "name",
  "description",
  "inceptionYear",
  "url",
  "organization",
  "developers",
  "contributors",
  "licenses",
  "mailingLists",
  "scm",
  "issueManagement",
  "ciManagement",
];
const REPOSITORIES = ["repository", "pluginRepository", "snapshotRepository"];
const PLAIN_VERSION = /^\d[\w.+-]*$/;

/**
 * pom.xml, as far as it is plain: dependencies with their versions, repositories, and everything else as `rest`. It is read by its text,
 * so what could make the text mean something else (entities, CDATA, processing) is refused. @throws {UnreadableError}
 */
export function readPom(text: string): Facts {
  const plain = plainXml(text);
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
  const settings: Setting[] = [];
  takeElements(rest, REPOSITORIES, (key, value) => {
    settings.push({ kind: "source", key, value: squeezed(value), why: "it decides where packages come from" });
  });
  const used = new Set(requirements.flatMap(({ spec }) => /^\$\{([\w.-]+)\}$/.exec(spec)?.[1] ?? []));
  rest = takeElements(rest, HARMLESS).replace(/<([\w.-]{1,100})>([^<]*)<\/\1>/g, (whole, name: string, value: string) =>
    used.has(name) && PLAIN_VERSION.test(value.trim()) ? "" : whole,
  );
  return { requirements, settings, locked: [], rest: squeezed(withoutOwnVersion(rest)) };
}

/** XML without its declaration and its comments. @throws {UnreadableError} for what a reader would expand, or what is too much to read. */
export function plainXml(text: string): string {
  if (text.length > LARGEST) throw new UnreadableError(`has more than ${LARGEST} bytes, too many to be judged in time`);
  let plain = text.replace(/^\ufeff?\s*<\?xml[^>]*\?>/, "");
  for (let start = plain.indexOf("<!--"); start >= 0; start = plain.indexOf("<!--", start)) {
    const end = plain.indexOf("-->", start + 4);
    if (end < 0) break;
    plain = plain.slice(0, start) + plain.slice(end + 3);
  }
  if (/<!|<\?|&(?!(?:lt|gt|amp|quot|apos);)/.test(plain)) {
    throw new UnreadableError("holds an entity, a section or a declaration that a reader may expand");
  }
  return plain;
}

/** Bytes of a file that is read by its text; real ones have a tenth. */
const LARGEST = 512_000;

/** The text without some elements, each up to its first end; `told` is given their content. */
function takeElements(text: string, names: readonly string[], told: (name: string, content: string) => void = () => {}): string {
  const start = new RegExp(`<(${names.join("|")})>`, "g");
  const kept: string[] = [];
  const endless = new Set<string>();
  let at = 0;
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const [{ length }, name = ""] = match;
    const end = endless.has(name) ? -1 : text.indexOf(`</${name}>`, match.index + length);
    if (end < 0) {
      endless.add(name);
      continue;
    }
    told(name, text.slice(match.index + length, end));
    kept.push(text.slice(at, match.index));
    at = end + name.length + 3;
    start.lastIndex = at;
  }
  return [...kept, text.slice(at)].join("");
}

/** The project's own version stands before any list, and behind its parent's. */
function withoutOwnVersion(text: string): string {
  const lists = text.search(/<(?:dependencies|dependencyManagement|build|profiles|properties|modules|repositories)>/);
  const end = lists < 0 ? text.length : lists;
  const start = Math.max(0, text.lastIndexOf("</parent>", end));
  const header = text.slice(start, end);
  if (header.includes("<parent>")) return text;
  return text.slice(0, start) + header.replace(/<version>[^<]*<\/version>/, "") + text.slice(end);
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
  let block = "";
  takeElements(text, ["properties"], (_, content) => (block ||= content));
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
