import type { Environment } from "./config/environment.ts";
import type { Arrivals } from "./core/arrivals.ts";
import type { Logger } from "./core/log.ts";
import type { HeldSecrets } from "./core/secrets.ts";
import type { Effect, ToolBinding, Unsubscribe } from "./extensions/api.ts";
import type { SecretScanner } from "./gate/secrets/scanner.ts";
import type { GitHubAppOptions } from "./github/client.ts";
import type { Launcher } from "./processes/launcher.ts";
import type { EngineOptions } from "./runs/engine.ts";
import type { RunDependencies, RunEvent } from "./runs/run-context.ts";
import type { openDatabase } from "./store/database.ts";
import type { openSandbox } from "./workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "./workspace/sandbox/sandbox.ts";

/** What a server is built from. */
export interface ProductOptions {
  readonly environment: Environment;
  /** The operator's PATH: where git, ripgrep and the sandbox's programs are looked for. */
  readonly path: string;
  /** Variables that git's fetches may see: proxies and certificates. */
  readonly network?: Readonly<Record<string, string>>;
  readonly secrets: HeldSecrets;
  /** Where extensions find the secrets that they ask for by name; nowhere when left out. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** OpenTelemetry's own variables are read from these, by its SDK from the process; nothing is traced without. */
  readonly tracing?: Readonly<Record<string, string | undefined>>;
  readonly role?: EngineOptions["role"];
  readonly log: Logger;
  /** Where deliveries are noted as they come in; a new one when left out. */
  readonly arrivals?: Arrivals;
  /** How GitHub is waited for, where that is not to take its time: for tests. */
  readonly patience?: Pick<GitHubAppOptions, "sleep" | "timeLimitMs"> & Pick<RunDependencies, "lastGapMs">;
  /** What many starts of one process need not do each anew: for tests. A product looks for secrets in threads of its own, and probes itself. */
  readonly shared?: {
    readonly scanner: SecretScanner;
    readonly openSandbox: typeof openSandbox;
    readonly launching: Promise<Launcher>;
    readonly openDatabase?: typeof openDatabase;
  };
  /** Sees every run's progress; lossy. */
  readonly observe?: (event: RunEvent) => void;
}

/** The running server: webhooks, workers and health in one process. */
export interface Product {
  /** `http://127.0.0.1:3000`, without a final slash. */
  readonly url: string;
  readonly webhookUrl: string;
  readonly sandbox: Sandbox | undefined;
  /** Tools beside those of the product and of its extensions, for the conversations that begin from now on. */
  readonly tools: {
    /** @throws {TypeError} for one that cannot be, or whose name is taken. */ add<const E extends Effect>(
      tool: ToolBinding<E>,
    ): Unsubscribe;
  };
  /** How many events observers of extensions have missed so far, by the event's name. */
  droppedEvents(): ReadonlyMap<string, number>;
  /** Resolves when no run is left to do. */
  idle(): Promise<void>;
  /** Answers what is under way, hands running work back, closes. Within about `graceMs` (default 8000). */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}
