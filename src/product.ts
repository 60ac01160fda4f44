import { resolve } from "node:path";
import packageFile from "../package.json" with { type: "json" };
import { secretsOf } from "./config/environment.ts";
import { withoutEffect } from "./config/without-effect.ts";
import { readServerFile } from "./config/server-file.ts";
import { settingsOf } from "./config/settings.ts";
import { readToolServers } from "./config/tool-servers.ts";
import { countArrivals } from "./core/arrivals.ts";
import { closingOnFailure } from "./core/closing-on-failure.ts";
import { messageOf } from "./core/errors.ts";
import type { RunRequest, RunView } from "./core/run.ts";
import { loadStored, storedAdvisoriesFile } from "./gate/advisories/stored-file.ts";
import { storedSource } from "./gate/advisories/stored-source.ts";
import { createGate } from "./gate/create-gate.ts";
import { createLedger } from "./gate/mint.ts";
import { builtInRules } from "./gate/rules.ts";
import type { SecretScanner } from "./gate/secrets/scanner.ts";
import { workerScanner } from "./gate/secrets/worker-scanner.ts";
import { selfTest } from "./gate/self-test.ts";
import { createAdvisorySources } from "./github/advisories.ts";
import { createAppDeliveries } from "./github/app-deliveries.ts";
import { createSignIn } from "./github/sign-in.ts";
import { createGitHubApp } from "./github/client.ts";
import { createMarkers } from "./github/marker.ts";
import { askOnce } from "./model/ask-once.ts";
import { modelsOf } from "./model/configured-models.ts";
import { buildGraph } from "./graph/build-graph.ts";
import { encodedCache } from "./graph/cache/encoded-cache.ts";
import { openKeys } from "./receipts/key-file.ts";
import { createAnswers, type WithDatabase } from "./runs/answers.ts";
import { createReplays } from "./runs/replay/replays.ts";
import { createEngine, refuseRole, type Engine } from "./runs/engine.ts";
import { openLauncher } from "./processes/launcher.ts";
import { createSteps } from "./runs/execute.ts";
import { createScopes } from "./runs/scopes.ts";
import { shareReading } from "./runs/shared-reading.ts";
import { announceWorker } from "./runs/upkeep/announce-worker.ts";
import { startUpkeep, type Upkeep } from "./runs/upkeep/upkeep.ts";
import type { Product, ProductOptions } from "./product-options.ts";
import { createServer } from "./server.ts";
import { countWork } from "./store/counts.ts";
import { createMeters } from "./telemetry/meters.ts";
import { openTracer } from "./telemetry/tracer.ts";
import { watchFetch, watchGate, watchModels, watchSteps, watchTools } from "./telemetry/watch-ports.ts";
import { storeApprovals } from "./store/approvals.ts";
import { appendAudit } from "./store/audit.ts";
import { storeFaultReports } from "./store/fault-reports.ts";
import { keepReceipt, listKeys } from "./store/receipts.ts";
import { watchWishes } from "./store/watch-wishes.ts";
import { forget, repositoriesOf, type Forgotten, type PurgeTarget } from "./store/forget.ts";
import { purgeRepositories } from "./store/purge.ts";
import { openDatabase } from "./store/database.ts";
import { storeGraphFacts } from "./store/graph-facts.ts";
import { bundledExtensions } from "./extensions/bundled/bundled.ts";
import { openExtensions } from "./extensions/host.ts";
import { secretReader } from "./extensions/secret.ts";
import { extensionWish } from "./extensions/wish.ts";
import { observedGate } from "./runs/observed-gate.ts";
import { allToolNames, createTools } from "./tools/registry.ts";
import { createIdentity } from "./triggers/identity.ts";
import { refuseWrongKey } from "./triggers/refuse-wrong-key.ts";
import { connectWebhookProxy } from "./triggers/webhook-proxy.ts";
import { approvalsUrl } from "./web/approvals/address.ts";
import { createMetricsPage, isMetrics } from "./web/metrics-page.ts";
import { createLive } from "./web/live/live.ts";
import { createPages } from "./web/pages.ts";
import { readBaseFiles } from "./workspace/base-files.ts";
import { createKeysPage, isKeysPage } from "./web/keys-page.ts";
import { openGit } from "./workspace/git.ts";
import { keepStores, storeLimits } from "./workspace/keep-stores.ts";
import { openQuarters } from "./workspace/quarters.ts";
import { openSandbox } from "./workspace/sandbox/open-sandbox.ts";
import { locateRipgrep } from "./workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "./workspace/search/ripgrep.ts";
import { scanSearch } from "./workspace/search/scan.ts";
import { startProgram } from "./workspace/start-program.ts";
import { openStores } from "./workspace/store.ts";

/** Milliseconds in which a stopping process lets its runs come to a place where they can be taken up again. */
const GRACE_MS = 8_000;

/**
 * Builds everything once, from the environment that the caller has read, and starts it.
 * @throws {ConfigurationError} for a setting that cannot work: refused App credentials, a database that is not there, a taken port.
 * @throws {SallyportError} when a rule of the gate does not find what it is there for.
 */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const { environment, path, secrets, log, role = "all", arrivals = countArrivals() } = options;
  const probeSandbox = options.shared?.openSandbox ?? openSandbox;
  for (const { value } of secretsOf(environment)) secrets.add(value);
  for (const warning of environment.warnings) log.warn({}, warning);
  if (environment.databaseUrl === undefined) refuseRole(role, "embedded");
  const configured = readServerFile(environment.configFile === undefined ? undefined : resolve(environment.configFile));
  for (const warning of withoutEffect(configured, "SALLYPORT_CONFIG")) log.warn({}, warning);
  const toolServers = readToolServers(configured.mcp, options.variables ?? {});
  for (const value of toolServers.secrets) secrets.add(value);
  const dataDir = resolve(environment.dataDir);
  const { version } = packageFile;
  const tracer = await openTracer(options.tracing ?? {}, { version, log });
  const meters = createMeters({
    version,
    role,
    database: environment.databaseUrl === undefined ? "embedded" : "postgres",
    count: async () => countWork(await opening),
    dropped: () => extensions.dropped(),
  });
  const watch = { meters, tracer };
  const ledger = createLedger();
  const scopes = createScopes();
  const markers = createMarkers(environment.privateKey);
  const { webUrl } = environment.github;
  const approvals = approvalsUrl(environment);
  const scanner: SecretScanner & Partial<AsyncDisposable> = options.shared?.scanner ?? workerScanner();
  const stored = storedSource({ load: loadStored(storedAdvisoriesFile(dataDir)) });
  const sources = {
    policy: (run: RunView) => scopes.configured(run).policy,
    scope: scopes.of,
    basePaths: scopes.basePaths,
    baseFile: scopes.baseFile,
    advisories: scopes.advisories,
    reachOf: scopes.reachOf,
    // Nothing is known of a run that is not at work: what asks for it stays a question.
    storedAdvisories: (run: RunView) => (scopes.of(run) === undefined ? undefined : stored),
    heldSecrets: secrets.values,
    scanner,
    webUrl,
    approvalsUrl: approvals,
    isOwnMarker: (marker: string, run: RunView) => markers.read(marker)?.run === run.id,
  };
  const rules = builtInRules(sources);
  await selfTest(rules, secrets.values);
  const unwatched = modelsOf(environment, log);
  const models = unwatched === undefined ? undefined : watchModels(unwatched, watch);
  const extensions = await openExtensions({
    ...extensionWish(environment, configured, role),
    tools: allToolNames(),
    rules: rules.map(({ name }) => name),
    mask: secrets.mask,
    bundled: bundledExtensions({
      servers: toolServers.servers,
      ...(environment.configFile === undefined ? {} : { configFile: environment.configFile }),
      start: (program) => startProgram({ ...program, path }),
      ask:
        models === undefined ? undefined : ({ model, ...asked }) => askOnce(models({ model: model === undefined ? [] : [model] }), asked),
      version,
      log,
    }),
    secret: secretReader({ variables: options.variables ?? {}, hold: secrets.add }),
    log,
  });
  const github = createGitHubApp({
    baseUrl: environment.github.apiUrl,
    appId: environment.appId,
    privateKey: environment.privateKey,
    ledger,
    log,
    fetch: watchFetch((input, init) => globalThis.fetch(input, init), watch),
    ...(options.patience?.sleep === undefined ? {} : { sleep: options.patience.sleep }),
    ...(options.patience?.timeLimitMs === undefined ? {} : { timeLimitMs: options.patience.timeLimitMs }),
    onToken: secrets.add,
  });
  const identity = createIdentity({ ask: github.identity, log });
  // Before anything is open: a key that cannot be used stops the start.
  const { receiptKey } = environment;
  const keys = await openKeys({
    file: resolve(dataDir, "receipt-key.pem"),
    ...(receiptKey === undefined ? {} : { pem: receiptKey }),
  });
  // Started before a database makes this process large.
  const launching = options.shared?.launching ?? openLauncher({ log });
  const opening = (options.shared?.openDatabase ?? openDatabase)({
    ...(environment.databaseUrl === undefined ? {} : { url: environment.databaseUrl }),
    directory: dataDir,
    log,
  });
  const begun = {
    close: () =>
      Promise.all([opening.then((database) => database.close()), extensions.stop(), launching.then((all) => all[Symbol.asyncDispose]())]),
  };
  const [database, launcher, probe, ripgrep] = await closingOnFailure(begun, () =>
    Promise.all([opening, launching, probeSandbox(configured.sandbox ?? {}, { path, log }), locateRipgrep(path), refuseWrongKey(identity)]),
  );
  const gate = createGate({
    ...sources,
    rules,
    extraRules: extensions.rules,
    ledger,
    approvals: { store: storeApprovals(database), hours: (run) => scopes.configured(run).approvalHours },
    audit: { record: (entry) => appendAudit(database, { ...entry }) },
    log,
  });
  const { sandbox } = probe;
  await listKeys(database, keys.listed);
  log.info(
    { sandbox: sandbox?.backend ?? "none", strength: sandbox?.level ?? "none", why: probe.reason, counting: probe.counting },
    "sandbox probed",
  );
  const quarters = await openQuarters(resolve(dataDir, "workspaces"));
  if (quarters.swept.length > 0) log.info({ count: quarters.swept.length }, "what killed processes had left was removed");
  const git = openGit({ path, start: launcher.start, ...(options.network === undefined ? {} : { network: options.network }) });
  const stores = openStores({ git, folder: resolve(dataDir, "stores"), path });
  const tools = createTools({
    sandbox: sandbox !== undefined,
    search: ripgrep === undefined ? scanSearch() : ripgrepSearch({ binary: ripgrep }),
  });
  const graphFacts = encodedCache(storeGraphFacts(database), (error) =>
    log.warn({ error: messageOf(error) }, "facts of the code graph are not kept"),
  );
  const dependencies: WithDatabase = {
    github,
    gate: observedGate(watchGate(gate, watch), extensions),
    scopes,
    advisories: createAdvisorySources(),
    markers,
    lastGapMs: options.patience?.lastGapMs,
    links: { origin: webUrl, approvals },
    stores,
    workspaces: quarters.directory,
    ...(models === undefined ? {} : { models }),
    tools,
    watchTools: (list) => watchTools(list, watch),
    extensions,
    buildGraph: (files) => buildGraph({ files, cache: graphFacts }),
    ...(sandbox === undefined ? {} : { sandbox }),
    settings: settingsOf([configured]),
    server: configured,
    readings: shareReading(),
    faultReports: storeFaultReports(database),
    receipts: {
      key: keys.signing,
      version,
      rules: [
        ...rules.map(({ name }) => ({ name, version })),
        ...extensions.rules.map(({ name }) => ({ name, version: "of an extension" })),
      ],
      keep: (runId, envelope) => keepReceipt(database, runId, envelope),
      keptAt: (runId) => `on this bot's server at \`/sallyport/receipts/${runId}\``,
    },
    mask: secrets.mask,
    database,
    schedules: { sync: (repository, wanted) => engine.sync(repository, wanted) },
    handle: async () => (await identity()).appSlug,
    ...(options.observe === undefined ? {} : { observe: options.observe }),
    log,
  };
  const steps = createSteps(dependencies);
  const engine: Engine = createEngine({ database, concurrency: environment.concurrency, role, log, ...watchSteps(steps, watch) });
  await engine.start();
  const removeCopies = async (ids: readonly number[]): Promise<void> => {
    for (const id of ids) await stores.remove(id);
  };
  const forgetAll = async (gone: Forgotten) => removeCopies(await database.transaction((tx) => forget(tx, gone)));
  const purge = async (target: PurgeTarget) => removeCopies(await purgeRepositories(database, await repositoriesOf(database, target)));
  // Nobody else can open the embedded database: what the command line wants of it is left in its folder.
  const wishes = database.kind === "embedded" ? watchWishes({ directory: dataDir, database, purge, log }) : undefined;
  const tended = keepStores(stores, { limits: storeLimits(configured.workspace?.stores), log });
  const { dashboardToken } = environment;
  const guard = dashboardToken === undefined ? {} : { dashboardToken };
  const metricsPage = createMetricsPage({ render: meters.render, log, ...guard });
  const keysPage = createKeysPage({ database, log });
  const enqueue = async (request: RunRequest) => {
    const acceptance = await engine.enqueue(request);
    meters.request(request.trigger, acceptance.status);
    return acceptance;
  };
  const live = createLive({ database, log });
  const pages = createPages({
    database,
    live,
    budgets: settingsOf([configured]).daily_usd,
    readBase: (wish) => readBaseFiles(stores, wish),
    people: {
      database,
      answers: createAnswers(dependencies),
      replays: createReplays({ dependencies, dataDir, git }),
      secret: environment.privateKey,
      signIn: environment.signIn && createSignIn({ ...environment.signIn, ...environment.github, onToken: secrets.add }),
    },
    mask: secrets.mask,
    log,
    webUrl,
    ...guard,
    ...(role === "worker" ? {} : { arrivals }),
    routes: extensions.routes.map(({ owner, it: { path, handler, page } }) => ({
      path: `/x/${owner}${path}`.replace(/\/$/, ""),
      handler,
      ...(page === undefined ? {} : { page }),
    })),
  });
  const announced = role === "web" ? undefined : announceWorker({ database, log, version, slots: environment.concurrency });
  // It begins once deliveries can be taken: what it asks for comes at once.
  let upkeep: Upkeep | undefined;
  const server = createServer({
    environment,
    app: { identity, enqueue, isReady: engine.isReady, forget: forgetAll },
    pages: (request, response) => {
      if (isMetrics(request)) return metricsPage(request, response);
      return isKeysPage(request) ? keysPage(request, response) : pages(request, response);
    },
    onDelivery: (event, status) => {
      meters.delivery(event, status);
      if (status < 300) arrivals.note(event);
      if (status >= 500) upkeep?.deliveryLost();
    },
    log,
  });
  let listening;
  try {
    listening = await server.listen();
  } catch (error) {
    wishes?.[Symbol.dispose]();
    await announced?.[Symbol.asyncDispose]();
    await engine.stop({ graceMs: 0 });
    await begun.close();
    throw error;
  }
  log.info({ url: listening.url, role }, "ready for webhooks");
  upkeep = startUpkeep({
    database,
    log,
    days: settingsOf([configured]).retention.days,
    removeCopies: stores.remove,
    onAsked: meters.redelivery,
    ...(role === "worker" ? {} : { deliveries: createAppDeliveries(github.octokit) }),
  });
  const webhookUrl = listening.url + environment.webhookPath;
  const proxy =
    environment.webhookProxyUrl === undefined || role === "worker"
      ? undefined
      : connectWebhookProxy({ url: environment.webhookProxyUrl, target: webhookUrl, log });
  return {
    url: listening.url,
    webhookUrl,
    sandbox,
    tools: { add: extensions.addTool },
    droppedEvents: extensions.dropped,
    idle: engine.idle,
    async stop({ graceMs = GRACE_MS } = {}) {
      wishes?.[Symbol.dispose]();
      live[Symbol.dispose]();
      await proxy?.[Symbol.asyncDispose]();
      await Promise.all([server.close({ graceMs }), engine.stop({ graceMs }), extensions.stop()]);
      await scanner[Symbol.asyncDispose]?.();
      await upkeep?.[Symbol.asyncDispose]();
      await announced?.[Symbol.asyncDispose]();
      await tended[Symbol.asyncDispose]();
      await quarters[Symbol.asyncDispose]();
      await tracer[Symbol.asyncDispose]();
      await Promise.all([database.close(), launcher[Symbol.asyncDispose]()]);
    },
  };
}
