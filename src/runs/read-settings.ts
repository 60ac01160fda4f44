import { createHash } from "node:crypto";
import type { FileSettings } from "../config/file-schema.ts";
import { readLayer, type LayerReading, type Origin } from "../config/read-layer.ts";
import { settingsOf, type Settings } from "../config/settings.ts";
import type { FaultyFile } from "../core/journal.ts";
import { unless } from "../github/answer.ts";
import { readRepositoryFile, type RepositoryFile } from "../github/repository-file.ts";
import type { RunContext } from "./run-context.ts";
import { settingsFrom, settingsRow } from "./run-settings.ts";
import type { SharedReading } from "./shared-reading.ts";

/** Where a repository, and an organisation in its `.github` repository, keep their configuration. */
export const CONFIGURATION_FILE = ".github/sallyport.yml";
/** The repository of an organisation that speaks for all of its repositories. */
const ORGANISATION_REPOSITORY = ".github";

/**
 * Reads the run's configuration once in its life: of the default branches, never of what is judged. A file with faults counts for nothing but
 * what it tightens.
 * @throws {GitHubError} when a file cannot be read: what it would have said is not known, so nothing may be assumed.
 */
export async function readSettings(context: RunContext, server: FileSettings, shared?: SharedReading): Promise<Settings> {
  const { journal, request, log } = context;
  const earlier = settingsFrom(journal);
  if (earlier !== undefined) return earlier;
  const { owner } = request.repository;
  // One delivery may make several runs.
  const key = `${request.repository.id} ${request.deliveryId.replace(/\/gate$/, "")}`;
  const { commit, organisation, repository } = await (shared === undefined ? readFiles(context) : shared.of(key, () => readFiles(context)));
  const files = [
    readingOf(
      organisation,
      "organisation",
      `${owner}/${ORGANISATION_REPOSITORY}: ${CONFIGURATION_FILE}`,
      `${owner.toLowerCase()}/${ORGANISATION_REPOSITORY}`,
    ),
    readingOf(repository, "repository", CONFIGURATION_FILE, String(request.repository.id)),
  ].flatMap((one) => one ?? []);
  const good = files.flatMap(({ reading }) => (reading.status === "good" ? [reading.settings] : []));
  const held = files.flatMap(({ reading }) => (reading.status === "faulty" ? [reading.held] : []));
  const settings = settingsOf([server, ...good], held);
  const faulty = files.flatMap(({ reading, file, version }): FaultyFile[] =>
    reading.status === "faulty" ? [{ file, version, faults: reading.faults.slice(0, MOST_FAULTS) }] : [],
  );
  for (const { file, faults } of faulty) log.warn({ file, line: faults[0]?.line, key: faults[0]?.key }, "a configuration file has faults");
  await journal.append({
    kind: "settings",
    settings,
    ...(commit === undefined ? {} : { commit }),
    ...(faulty.length === 0 ? {} : { faulty }),
  });
  return settings;
}

async function readFiles(context: RunContext) {
  const { session, request } = context;
  const { owner, name } = request.repository;
  const commit = await defaultCommit(context);
  const isOrganisation = name.toLowerCase() === ORGANISATION_REPOSITORY;
  const [organisation, repository] = await Promise.all([
    isOrganisation ? undefined : readRepositoryFile(session, { owner, name: ORGANISATION_REPOSITORY }, CONFIGURATION_FILE),
    commit === undefined ? undefined : readRepositoryFile(session, request.repository, CONFIGURATION_FILE, { commit }),
  ]);
  return { commit, organisation, repository };
}

/** More of one file are not told. */
const MOST_FAULTS = 20;

/** The faults of the run's configuration, as its journal has them, and the commit that it was read at. */
export function faultsOf({ journal }: Pick<RunContext, "journal">): { readonly commit?: string; readonly faulty: readonly FaultyFile[] } {
  const row = settingsRow(journal);
  return { ...(row?.commit === undefined ? {} : { commit: row.commit }), faulty: row?.faulty ?? [] };
}

interface ReadFile {
  readonly file: string;
  /** Names the bytes of this file, of this repository. */
  readonly version: string;
  readonly reading: LayerReading;
}

function readingOf(read: RepositoryFile | undefined, origin: Origin, file: string, place: string): ReadFile | undefined {
  if (read === undefined || read.status === "absent") return undefined;
  const reading: LayerReading =
    read.status === "text" ? readLayer(read.text, origin) : { status: "faulty", faults: [{ line: 1, key: "", why: read.why }], held: {} };
  const content = read.status === "text" ? createHash("sha256").update(read.text).digest("hex") : read.blob;
  return { file, version: `${place} ${content}`, reading };
}

/** The commit of the default branch now; undefined for a repository without one. */
async function defaultCommit({ reader, request }: RunContext): Promise<string | undefined> {
  const named = request.repository.defaultBranch;
  const tip = await tipOf(reader, named);
  if (tip !== undefined) return tip;
  // The branch may have been renamed since the event: no file must be missed for that.
  const { defaultBranch } = await reader.repository();
  return defaultBranch === named ? undefined : tipOf(reader, defaultBranch);
}

async function tipOf(reader: RunContext["reader"], branch: string): Promise<string | undefined> {
  return unless(["empty-repository"], undefined, () => reader.branchTip(branch));
}
