import type { Facts, Locked, Requirement, Setting, Wanted } from "./facts.ts";
import { plainXml, squeezed } from "./maven.ts";
import { entriesOf, fieldOf, tableIn, textIn } from "./plain-data.ts";
import { parseJson } from "./strict-json.ts";

const HARMLESS =
  /<(Description|Authors|Company|Copyright|PackageTags|Title|Product|PackageReleaseNotes|PackageProjectUrl|RepositoryUrl|Version|VersionPrefix|VersionSuffix|AssemblyVersion|FileVersion)>[^<]*<\/\1>/g;

/** Project files and packages.config: package references are read, everything else is `rest`. @throws {UnreadableError} */
export function readNugetProject(text: string): Facts {
  const plain = plainXml(text);
  const requirements: Requirement[] = [];
  const reference =
    /<(PackageReference|PackageVersion|GlobalPackageReference|package)((?:\s+[\w.:]+\s*=\s*"[^"<>]*")*)\s*(?:\/>|>((?:(?!<\/?\1)[^])*)<\/\1\s*>)/g;
  let rest = plain.replace(reference, (whole, kind: string, attributes: string, inside: string | undefined) => {
    const fields = new Map(
      [...attributes.matchAll(/([\w.:]+)\s*=\s*"([^"]*)"/g)].map(([, name = "", value = ""]) => [name.toLowerCase(), value]),
    );
    const name = fields.get("include") ?? fields.get("update") ?? fields.get("id");
    const nested = /^\s*<Version>([^<]*)<\/Version>\s*$/.exec(inside ?? "")?.[1];
    if (name === undefined || ((inside?.trim() ?? "") !== "" && nested === undefined && !isPlainAssets(inside ?? ""))) return whole;
    const version = (fields.get("version") ?? fields.get("versionoverride") ?? nested)?.trim();
    requirements.push({ name, section: kind, spec: version ?? "", wanted: wantedBy(version) });
    return "";
  });
  const settings = [
    ...rest.matchAll(/<(RestoreSources|RestoreAdditionalProjectSources|RestorePackagesPath|RestoreConfigFile)>([^<]*)</g),
  ].map(([, key = "", value = ""]): Setting => ({ kind: "source", key, value: value.trim(), why: "it decides where packages come from" }));
  rest = rest.replace(HARMLESS, "").replace(/<(ItemGroup|packages)[^<>]*>\s*<\/\1>/g, "");
  return { requirements, settings, locked: [], rest: squeezed(rest) };
}

function isPlainAssets(inside: string): boolean {
  return inside.replace(/<(PrivateAssets|IncludeAssets|ExcludeAssets|Version)>[^<]*<\/\1>/g, "").trim() === "";
}

function wantedBy(version: string | undefined): Wanted {
  if (version === undefined) return { kind: "registry" };
  const exact = /^\[?\s*(\d[\w.+-]*)\s*\]?$/.exec(version)?.[1];
  return exact === undefined ? { kind: "registry", isOpen: true } : { kind: "registry", version: exact, lowest: exact };
}

/** packages.lock.json. @throws {UnreadableError} */
export function readNugetLock(text: string): Facts {
  const lock = tableIn(parseJson(text), "packages.lock.json");
  const locked = entriesOf(fieldOf(lock, "dependencies")).flatMap(([framework, table]) =>
    entriesOf(table).map(([name, entry]): Locked => {
      const hash = textIn(entry, "contentHash");
      const isLocal = textIn(entry, "type") === "Project";
      return {
        key: `${framework} ${name}`,
        name,
        version: textIn(entry, "resolved") ?? "",
        integrity: hash === undefined ? [] : [hash],
        ...(isLocal && { isLocal }),
      };
    }),
  );
  return { requirements: [], settings: [], locked };
}
