import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, isAbsolute, relative, resolve } from "node:path";
import { tmpdir } from "node:os";
import type { FileSettings } from "../src/config/file-schema.ts";
import { settingsOf } from "../src/config/settings.ts";
import { networkVariables } from "../src/commands/network.ts";
import type { RunView } from "../src/core/run.ts";
import type { HeldSecrets } from "../src/core/secrets.ts";
import { createGate } from "../src/gate/create-gate.ts";
import type { Gate } from "../src/gate/gate.ts";
import { createLedger } from "../src/gate/mint.ts";
import { builtInRules } from "../src/gate/rules.ts";
import { workerScanner } from "../src/gate/secrets/worker-scanner.ts";
import { selfTest } from "../src/gate/self-test.ts";
import { createAdvisorySources } from "../src/github/advisories.ts";
import type { GitHubSession } from "../src/github/client.ts";
import { createMarkers } from "../src/github/marker.ts";
import type { ReceiptDesk } from "../src/receipts/desk.ts";
import type { RunDependencies } from "../src/runs/run-context.ts";
import { createScopes } from "../src/runs/scopes.ts";
import type { SandboxWish } from "../src/workspace/sandbox/open-sandbox.ts";
import { removeTree } from "../src/workspace/clean.ts";
import { openGit } from "../src/workspace/git.ts";
import { openStores } from "../src/workspace/store.ts";
import packageFile from "../package.json" with { type: "json" };
import type { Equipment } from "./equipment.ts";
import type { Inputs } from "./inputs.ts";
import type { StepLog } from "./log.ts";
import type { Outcome } from "./outcome.ts";
import { openSession } from "./session.ts";

export interface StageOptions {
  readonly inputs: Inputs;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly secrets: HeldSecrets;
  readonly log: StepLog;
  /** What all requests to GitHub go through. */
  readonly fetch: typeof fetch;
}

/** By the outcome's names. */
type KeptFiles = Pick<Outcome, "sarifFile" | "receiptFile">;

/** Everything that the one run of this process is made with. Disposing ends its threads and removes its folders. */
export interface Stage extends AsyncDisposable {
  /** A folder of this process's own, absolute. */
  readonly folder: string;
  session(runId?: string): GitHubSession;
  /** What a run needs to be let in; commands and search come with `equipped`. */
  dependencies(wish: Pick<RunDependencies, "keep" | "observe"> & { readonly server: FileSettings }): RunDependencies;
  /** Files that outlive this process, as far as they were made, absolute. */
  readonly files: KeptFiles;
  /** Keeps a file that outlives this process. */
  keepFile(kind: keyof KeptFiles, name: string, text: string): Promise<void>;
  /** Resolves when the machine was looked at: whether commands can be run here, and what searches files; and with the model. */
  equipped(): Promise<Equipment>;
}

/** Builds all of it without a request; whoever waits for GitHub first waits for nothing else. */
export async function openStage({ inputs, variables, secrets, log, fetch: send }: StageOptions): Promise<Stage> {
  const { token, name } = inputs;
  const place = resolve(variables["RUNNER_TEMP"] ?? tmpdir());
  const files: { -readonly [kind in keyof KeptFiles]: KeptFiles[kind] } = {};
  const keepFile = async (kind: keyof KeptFiles, name: string, text: string): Promise<void> => {
    const file = resolve(place, name);
    // What lies there already is none of ours, be it a link that somebody has laid.
    if (files[kind] !== file) await writeFile(file, secrets.mask(text), { flag: "wx", mode: 0o644 });
    else await writeFile(file, secrets.mask(text));
    files[kind] = file;
  };
  const folder = resolve(place, `sallyport-${process.pid}-${Date.now().toString(36)}`);
  const workspaces = resolve(folder, "workspaces");
  await mkdir(workspaces, { recursive: true, mode: 0o700 });
  const path = trustedPath(variables["PATH"] ?? "", variables["GITHUB_WORKSPACE"]);

  const ledger = createLedger();
  const scopes = createScopes();
  const markers = createMarkers(token);
  const scanner = workerScanner();
  const session = (runId?: string, sessionLog: GitHubSession["log"] = log): GitHubSession =>
    openSession({
      inputs,
      variables,
      ledger,
      log: sessionLog,
      fetch: (input, init) => {
        const answer = send(input, init);
        setImmediate(begin);
        return answer;
      },
      ...(runId === undefined ? {} : { runId }),
    });
  /** What the workflow says of the sandbox: known at once where it says nothing. */
  const wished = Promise.withResolvers<SandboxWish>();
  wished.promise.catch(() => undefined);
  if (inputs.config === undefined) wished.resolve({});
  /** What takes this process's own time is begun once the first request is on its way, or when it is asked for. */
  let begun: { readonly tested: Promise<void>; readonly looking: Promise<Equipment> } | undefined;
  const begin = () => {
    if (begun !== undefined) return begun;
    begun = {
      tested: selfTest(rules, secrets.values),
      looking: import("./equipment.ts").then(({ equip }) => equip({ inputs, path, wish: wished.promise, log })),
    };
    // Whoever asks for them is told; nobody else has to be.
    for (const one of [begun.tested, begun.looking]) one.catch(() => undefined);
    return begun;
  };
  const webUrl = session().origin;
  const sources = {
    policy: (run: RunView) => scopes.configured(run).policy,
    scope: scopes.of,
    basePaths: scopes.basePaths,
    baseFile: scopes.baseFile,
    advisories: scopes.advisories,
    reachOf: scopes.reachOf,
    heldSecrets: secrets.values,
    scanner,
    webUrl,
    isOwnMarker: (marker: string, run: RunView) => markers.read(marker)?.run === run.id,
  };
  const rules = builtInRules(sources);
  const gate = onceTested(createGate({ ...sources, rules, ledger, log }), () => begin().tested);
  const stores = openStores({ git: openGit({ path, network: networkVariables(variables) }), folder: resolve(folder, "stores"), path });
  const { receiptKey: key } = inputs;
  const receipts: ReceiptDesk | undefined =
    key === undefined
      ? undefined
      : {
          key,
          version: packageFile.version,
          rules: rules.map(({ name }) => ({ name, version: packageFile.version })),
          keep: (runId, envelope) => keepFile("receiptFile", `sallyport-receipt-${runId}.json`, envelope),
          keptAt: () => "in the file that the step's output `receipt_file` names",
        };
  return {
    folder,
    files,
    keepFile,
    session,
    dependencies({ server, ...wish }) {
      wished.resolve(server.sandbox ?? {});
      return {
        github: { session: (_, sessionLog, runId) => session(runId, sessionLog) },
        gate,
        scopes,
        advisories: createAdvisorySources(),
        markers,
        links: { origin: webUrl },
        stores,
        workspaces,
        tools: [],
        settings: settingsOf([server]),
        server,
        mask: secrets.mask,
        ...(receipts === undefined ? {} : { receipts }),
        handle: () => Promise.resolve(name),
        log,
        ...wish,
      };
    },
    equipped: () => begin().looking,
    async [Symbol.asyncDispose]() {
      wished.reject(new TypeError("the step has ended before its machine was looked at"));
      await Promise.all([begun?.looking.catch(() => undefined), scanner[Symbol.asyncDispose](), removeTree(folder)]);
    },
  };
}

/** The gate judges nothing before each rule was seen to find what it is there for; meanwhile GitHub can be read. */
function onceTested(gate: Gate, tested: () => Promise<void>): Gate {
  return {
    async judgeWrite(write, run) {
      await tested();
      return gate.judgeWrite(write, run);
    },
    async judge(operation, run, annotate) {
      await tested();
      return gate.judge(operation, run, annotate);
    },
  };
}

/** PATH without what the workspace, or wherever we were started, could have brought. */
function trustedPath(path: string, workspace: string | undefined): string {
  const isOutside = (folder: string): boolean => {
    if (!isAbsolute(folder)) return false;
    if (workspace === undefined || workspace === "") return true;
    const below = relative(workspace, folder);
    return below.startsWith("..") || isAbsolute(below);
  };
  return path
    .split(delimiter)
    .filter((folder) => isOutside(folder))
    .join(delimiter);
}
