import { MAX_FILE_BYTES } from "./extract/extract.ts";
import type { Extractor } from "./extract/extract.ts";
import { factsKey } from "./facts.ts";
import type { BlobFacts, FactsCache } from "./facts.ts";
import type { SourceFile } from "./graph.ts";
import { isModuleConfiguration } from "./link/modules/configuration.ts";
import { tabledUnit } from "./link/unit-tables.ts";
import { languageOf, roleOf } from "./parse/languages.ts";
import { forget } from "./state.ts";
import type { State } from "./state.ts";

export interface Reading {
  readonly extractor: Extractor;
  readonly cache?: FactsCache;
  readonly maxFiles: number;
  /** Lets others have a turn, now and then. */
  pace(): Promise<void>;
}

/** Reads facts from the cache or the bytes, a thousand files at a time. */
export async function readInto(state: State, files: Iterable<SourceFile>, reading: Reading): Promise<void> {
  let batch: SourceFile[] = [];
  for (const file of files) {
    if (isModuleConfiguration(file.path) && (file.size ?? 0) <= MAX_FILE_BYTES)
      state.configuration.set(file.path, new TextDecoder().decode(await file.bytes()));
    if (languageOf(file.path) === undefined) continue;
    if (roleOf(file.path) === "vendored") state.whyNot.set(file.path, "vendored");
    else if (state.numbers.size + batch.length >= reading.maxFiles && !state.numbers.has(file.path))
      state.whyNot.set(file.path, `beyond the first ${reading.maxFiles} files`);
    else batch.push(file);
    if (batch.length < 1000) continue;
    await readBatch(state, batch, reading);
    batch = [];
  }
  await readBatch(state, batch, reading);
}

async function readBatch(state: State, files: readonly SourceFile[], { extractor, cache, pace }: Reading): Promise<void> {
  const keyed = files.flatMap((file) => {
    const language = languageOf(file.path);
    return language === undefined ? [] : [{ file, language, key: factsKey(file.blob, language) }];
  });
  const kept = cache === undefined || keyed.length === 0 ? undefined : await cache.read(keyed.map(({ key }) => key));
  const fresh = new Map<string, BlobFacts>();
  for (const { file, language, key } of keyed) {
    await pace();
    const known = kept?.get(key) ?? fresh.get(key);
    if (known !== undefined) {
      place(state, file, known);
      continue;
    }
    const tooLarge = (file.size ?? 0) > MAX_FILE_BYTES;
    const found = tooLarge
      ? { ok: false as const, why: `larger than ${MAX_FILE_BYTES} bytes` }
      : await extractor.extract(await file.bytes(), language);
    if (!found.ok) {
      forget(state, file.path, new Set());
      state.whyNot.set(file.path, found.why);
      continue;
    }
    fresh.set(key, found.facts);
    place(state, file, found.facts);
  }
  if (cache !== undefined && fresh.size > 0) await cache.write(fresh);
}

function place(state: State, file: SourceFile, facts: BlobFacts): void {
  const number = state.numbers.get(file.path) ?? state.units.length;
  const role = roleOf(file.path);
  state.numbers.set(file.path, number);
  state.units[number] = tabledUnit(number, file.path, facts, role === "test");
  state.blobs[number] = file.blob;
  state.roles[number] = role;
  state.dependencies[number] = new Set();
  state.whyNot.delete(file.path);
}
