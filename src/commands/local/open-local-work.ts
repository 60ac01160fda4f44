import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { converse, type Conversation, type Progress } from "../../agent/converse.ts";
import { systemPrompt } from "../../agent/prompt.ts";
import { forResearch, research } from "../../agent/research.ts";
import { spilledOutputs } from "../../agent/spill.ts";
import { readExtensions, readModel } from "../../config/environment.ts";
import { readGoodLayer } from "../../config/read-layer.ts";
import { readServerFile } from "../../config/server-file.ts";
import { settingsOf, type Settings } from "../../config/settings.ts";
import { readToolServers } from "../../config/tool-servers.ts";
import type { Message } from "../../core/conversation.ts";
import { ConfigurationError } from "../../core/errors.ts";
import type { Journal } from "../../core/journal.ts";
import { type Logger, silent } from "../../core/log.ts";
import { memoryJournal } from "../../core/memory-journal.ts";
import { buildGraph } from "../../graph/build-graph.ts";
import type { Decision, Finding } from "../../core/result.ts";
import { holdSecrets } from "../../core/secrets.ts";
import type { Gate } from "../../gate/gate.ts";
import { askOnce } from "../../model/ask-once.ts";
import { openModels } from "../../model/open-models.ts";
import { modelWish, whyUnpriced } from "../../runs/model-wish.ts";
import { openDeskGraph } from "../../runs/desk-graph.ts";
import { createTestRuns, type TestRuns } from "../../runs/test-runs.ts";
import { filteredWish } from "../../runs/review/filtered-wish.ts";
import { contentOf } from "../../workspace/content.ts";
import { makeTestPlan } from "../../runs/test-plan.ts";
import { bundledExtensions } from "../../extensions/bundled/bundled.ts";
import { noExtensions, openExtensions } from "../../extensions/host.ts";
import { secretReader } from "../../extensions/secret.ts";
import { extensionWish } from "../../extensions/wish.ts";
import { whyNoPrompt } from "../../runs/phases/converse.ts";
import { assembleTools } from "../../tools/extended/assemble.ts";
import { allToolNames, createTools } from "../../tools/registry.ts";
import type { GitHubReads } from "../../core/github-reads.ts";
import type { Publisher, ReviewWish, Tool, WriteContext } from "../../tools/tool.ts";
import { checkOut } from "../../workspace/check-out.ts";
import { removeTree } from "../../workspace/clean.ts";
import { openCommitFiles, type CommitFiles } from "../../workspace/commit-files.ts";
import { borrowStore } from "../../workspace/local/borrow-store.ts";
import type { Checkout, Revision } from "../../workspace/local/open-checkout.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";
import { locateRipgrep } from "../../workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "../../workspace/search/ripgrep.ts";
import { scanSearch } from "../../workspace/search/scan.ts";
import { startProgram } from "../../workspace/start-program.ts";
import type { Store } from "../../workspace/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { localPorts } from "./local-ports.ts";
import { LOCAL_RUN, openLocalGate } from "./local-gate.ts";

/** Variables whose values are neither sent to the model nor left in a change. */
const SECRETS = [
  "PRIVATE_KEY",
  "WEBHOOK_SECRET",
  "OPENAI_API_KEY",
  "DATABASE_URL",
  "SALLYPORT_DASHBOARD_TOKEN",
  "GITHUB_TOKEN",
  "GH_TOKEN",
];
const REPOSITORY_FILE = ".github/sallyport.yml";
const DEFAULT_MODEL = "gpt-5";

export interface LocalWorkOptions {
  readonly checkout: Checkout;
  /** The workspace is a copy of this commit; the policy and what maintainers say are `base`'s. */
  readonly commit: Revision;
  readonly base: Revision;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The server's configuration file, absolute. */
  readonly serverFile?: string;
  readonly signal: AbortSignal;
  /** Where warnings are said; nowhere when left out. */
  readonly complain?: (line: string) => void;
}

/** A copy of a commit of a local checkout, with a model and both doors around it. Disposed of, nothing of it is left. */
export interface LocalWork extends AsyncDisposable {
  readonly store: Store;
  readonly workspace: Workspace;
  readonly base: CommitFiles;
  readonly settings: Settings;
  readonly gate: Gate;
  readonly journal: Journal;
  /** The sandbox's level, or `none`. */
  readonly sandbox: string;
  converse(talk: LocalTalk): Promise<Conversation>;
  /** A review's remarks as extensions want them. @throws {ExtensionFault} for a filter that breaks its contract. */
  filterFindings(wish: ReviewWish): Promise<ReviewWish>;
}

export interface LocalTalk {
  readonly trigger: "mention" | "review";
  readonly isOffered: (tool: Pick<Tool, "name" | "effect">) => boolean;
  readonly fragments: readonly string[];
  readonly opening: (system: string) => Promise<readonly Message[]>;
  /** Answers what the model asks GitHub for; whatever is not here is refused. */
  readonly publisher?: Partial<Publisher>;
  /** Whether the repository's tests are run after changes. */
  readonly repairs: boolean;
  readonly difference?: readonly string[];
  readonly onProgress: (event: Progress) => void;
  /** Asks whoever sits at the terminal; absent where nobody does. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** What the inner door found of a write. */
  readonly onFindings: (findings: readonly Finding[]) => void;
}

/** @throws {ConfigurationError} naming the variable when no model is configured, or the file when the configuration cannot be read. */
export async function openLocalWork({
  checkout,
  commit,
  base,
  variables,
  serverFile,
  signal,
  complain,
}: LocalWorkOptions): Promise<LocalWork> {
  const { PATH: path = "" } = variables;
  const named = readModel(variables);
  if (named.apiKey === undefined && named.baseUrl === undefined) {
    throw new ConfigurationError("No model is configured: OPENAI_API_KEY is not set.", {
      code: "no-model",
      hint: "Set it, or OPENAI_BASE_URL for another server.",
    });
  }
  const secrets = holdSecrets(SECRETS.map((name) => variables[name]));
  const folder = await mkdtemp(join(tmpdir(), "sallyport-local-"));
  let extensions = noExtensions();
  try {
    const store = await borrowStore(checkout, join(folder, "store.git"));
    const remote = { url: "https://localhost/none.git", token: () => Promise.resolve(undefined) };
    const baseFiles = await openCommitFiles({ store, remote, commit: base.commit, signal });
    const own = await baseFiles.file(REPOSITORY_FILE);
    const server = readServerFile(serverFile);
    const repository =
      own === undefined ? {} : readGoodLayer(Buffer.from(own).toString("utf8"), `${base.name}:${REPOSITORY_FILE}`, "repository");
    const settings = settingsOf([server, repository]);
    const warnings: Logger = { ...silent, warn: (fields, message) => complain?.(`${message}: ${JSON.stringify(fields)}`) };
    const wish = extensionWish(
      { extensions: readExtensions(variables), ...(serverFile === undefined ? {} : { configFile: serverFile }) },
      server,
      "cli",
    );
    const toolServers = readToolServers(server.mcp, variables);
    for (const value of toolServers.secrets) secrets.add(value);
    const models = openModels({ ...named, names: named.names.length === 0 ? [DEFAULT_MODEL] : named.names, log: silent });
    extensions = await openExtensions({
      ...wish,
      tools: allToolNames(),
      rules: [],
      mask: secrets.mask,
      bundled: bundledExtensions({
        servers: toolServers.servers,
        ...(serverFile === undefined ? {} : { configFile: serverFile }),
        start: (program) => startProgram({ ...program, path }),
        ask: ({ model, ...asked }) => askOnce(models({ model: model === undefined ? [] : [model] }), asked),
        version: packageFile.version,
        log: warnings,
      }),
      secret: secretReader({ variables, hold: secrets.add }),
      log: warnings,
    });
    const [probe, ripgrep] = await Promise.all([openSandbox(server.sandbox ?? {}, { path, log: silent }), locateRipgrep(path)]);
    const workspace = await checkOut({ store, commit: commit.commit, directory: join(folder, "workspace"), signal });
    const gate = openLocalGate({
      checkout,
      base: commit,
      basePaths: workspace.basePaths(),
      layers: [server.gate ?? {}, repository.gate ?? {}],
      secrets: secrets.values(),
      extraRules: extensions.rules,
    });
    const journal = memoryJournal();
    const { sandbox } = probe;
    const all = createTools({
      sandbox: sandbox !== undefined,
      search: ripgrep === undefined ? scanSearch() : ripgrepSearch({ binary: ripgrep }),
    });
    const plan = await makeTestPlan(settings.commands, baseFiles);
    const graph = openDeskGraph({ workspace, build: (files) => buildGraph({ files, signal }), log: silent });

    async function talk(wish: LocalTalk): Promise<Conversation> {
      const { trigger, fragments, publisher = {}, difference, onProgress, onFindings } = wish;
      const model = models(modelWish(settings, trigger));
      const unpriced = whyUnpriced(settings, model);
      if (unpriced !== undefined) throw new ConfigurationError(unpriced.why, { code: "no-price", hint: unpriced.hint });
      const assembling = { extensions, run: LOCAL_RUN, log: warnings };
      const tools = await assembleTools({
        ...assembling,
        of: "tools",
        builtIn: all,
        policy: server.tools?.[trigger] ?? {},
        isOffered: wish.isOffered,
      });
      const researching = await assembleTools({
        ...assembling,
        of: "research",
        builtIn: forResearch(all),
        policy: server.tools?.research ?? {},
        isOffered: (tool) => tool.effect === "read" && wish.isOffered(tool),
      });
      const budget = {
        maxTurns: settings.max_turns,
        maxMinutes: settings.max_minutes,
        maxTokens: settings.max_tokens,
        maxUsd: settings.max_usd,
      };
      const tests: TestRuns | undefined =
        wish.repairs && sandbox !== undefined && plan !== undefined
          ? createTestRuns({ sandbox, workspace, plan, maxAttempts: settings.repair.attempts, journal, signal })
          : undefined;
      const contextFor = (callId: string): WriteContext => ({
        run: LOCAL_RUN,
        callId,
        workspace,
        graph: graph.ask,
        ...(sandbox === undefined ? {} : { sandbox }),
        github: NO_GITHUB,
        outputs: spilledOutputs(journal),
        ...(difference === undefined ? {} : { difference }),
        signal,
        extension: localPorts({ workspace, settings, journal, ask: wish.ask, gate, log: warnings }),
        publisher: { ...NO_PUBLISHER, ...publisher },
        async write(at, bytes): Promise<Decision> {
          const there = await workspace.read(at);
          const before = there.status === "file" ? there.bytes : undefined;
          const sides = { ...(bytes === undefined ? {} : { after: bytes }), ...(before === undefined ? {} : { before }) };
          const decision = await gate.judgeWrite({ kind: "workspace-write", path: at, ...sides }, LOCAL_RUN);
          onFindings(decision.findings);
          if (decision.verdict !== "allow") return decision;
          if (bytes === undefined) await workspace.remove(at);
          else await workspace.write(at, bytes);
          return decision;
        },
      });
      const { language, instructions } = settings;
      const names = tools.map(({ name }) => name);
      const added = extensions.fragments.filter(({ whenTools }) => whenTools.every((name) => names.includes(name)));
      const system = systemPrompt({
        tools,
        hasSandbox: sandbox !== undefined,
        readOnly: !wish.repairs,
        instructions,
        ...(language === undefined ? {} : { language }),
        fragments: [...fragments, ...added.map(({ text }) => text)],
      });
      const conversation = await converse({
        model,
        tools,
        journal,
        budget,
        compaction: settings.compaction,
        mask: secrets.mask,
        signal,
        log: silent,
        startedAt: Date.now(),
        contextFor: (callId) => ({
          ...contextFor(callId),
          research: (question, until) =>
            research(question, {
              runId: LOCAL_RUN.id,
              repository: "local/checkout",
              model,
              tools: researching,
              callId,
              contextFor,
              journal,
              budget,
              mask: secrets.mask,
              signal: until,
              onProgress: () => undefined,
              log: silent,
            }),
        }),
        opening: async () => wish.opening(await extensions.filter("prompt.system", system, LOCAL_RUN, whyNoPrompt)),
        ...(tests === undefined ? {} : { repair: () => tests.repair.run() }),
        snapshot: async (turn) => {
          const { entries, blobs } = await contentOf(workspace);
          const last = journal.entries.findLast((entry) => entry.kind === "snapshot");
          if (JSON.stringify(last?.entries ?? []) === JSON.stringify(entries)) return false;
          await journal.append({ kind: "snapshot", turn, entries }, blobs);
          return true;
        },
        onProgress,
      });
      await tests?.stop();
      return conversation;
    }

    return {
      store,
      workspace,
      base: baseFiles,
      settings,
      gate,
      journal,
      sandbox: sandbox?.level ?? "none",
      converse: talk,
      filterFindings: (wish) => filteredWish(wish, extensions, LOCAL_RUN),
      async [Symbol.asyncDispose]() {
        await extensions.stop();
        await gate[Symbol.asyncDispose]();
        await removeTree(folder);
      },
    };
  } catch (error) {
    await extensions.stop();
    await removeTree(folder);
    throw error;
  }
}

const nowhere = (): never => {
  throw new ConfigurationError("There is no GitHub in a run on a local checkout.", { code: "no-github" });
};
const NO_GITHUB: GitHubReads = {
  issue: nowhere,
  issues: nowhere,
  pull: nowhere,
  pullFiles: nowhere,
  workflowRuns: nowhere,
  runLogs: nowhere,
  tags: nowhere,
};
const NO_PUBLISHER: Publisher = {
  comment: nowhere,
  openPullRequest: nowhere,
  commit: nowhere,
  review: nowhere,
  resolve: nowhere,
  reserveBranch: nowhere,
};
