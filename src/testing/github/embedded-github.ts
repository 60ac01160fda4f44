import { generateKeyPairSync } from "node:crypto";
import { mkdirSync } from "node:fs";
import { startHere, type StartProcess } from "../../processes/start-process.ts";
import { armFault, type Fault } from "./faults.ts";
import type { RecordedRequest } from "./record.ts";
import { addToken, addUser } from "./seed/accounts.ts";
import { addAttachment } from "./seed/attachments.ts";
import { addCheckRun } from "./seed/check-runs.ts";
import { browseAs } from "./sign-in.ts";
import { addFork } from "./seed/forks.ts";
import { openPull } from "./seed/pulls.ts";
import {
  addLabel,
  addRepository,
  addTag,
  branches,
  bytesAt,
  deleteBranch,
  fileAt,
  modeAt,
  moveBranch,
  protect,
  push,
  renameRepository,
  tip,
} from "./seed/repositories.ts";
import { addReaction, addReview, addReviewComment, resolveThread } from "./seed/reviews.ts";
import { addComment, addIssue } from "./seed/threads.ts";
import { addWorkflowRun } from "./seed/workflow-runs.ts";
import {
  checkRuns,
  comments,
  issue,
  pulls,
  reactions,
  resolvedThreads,
  reviewComments,
  reviews,
  sarifUploads,
  workflowJobs,
} from "./seed/views.ts";
import { close, listen } from "./server.ts";
import type { AppIdentity, Permissions, StorageRequest, World } from "./state.ts";
import { listenForStorage } from "./storage.ts";
import { settled } from "./webhooks/announce.ts";
import { deliver } from "./webhooks/deliver.ts";
import type { Delivery } from "./webhooks/delivery.ts";
import {
  checkRunEvent,
  issueAssignedEvent,
  issueCommentEvent,
  issueEvent,
  issueLabeledEvent,
  pullRequestEvent,
  reviewCommentEvent,
  reviewEvent,
  workflowRunEvent,
} from "./webhooks/events.ts";
import { say } from "./webhooks/say.ts";

/** What is done and read without going through the API: each works on the one world that was started. */
const ACTIONS = {
  browseAs,
  addUser,
  addToken,
  addRepository,
  renameRepository,
  addFork,
  addLabel,
  addIssue,
  addComment,
  addReview,
  addReviewComment,
  addReaction,
  resolveThread,
  addCheckRun,
  addWorkflowRun,
  addTag,
  addAttachment,
  openPull,
  push,
  moveBranch,
  deleteBranch,
  protect,
  branches,
  tip,
  fileAt,
  bytesAt,
  modeAt,
  issue,
  pulls,
  comments,
  reviews,
  reviewComments,
  resolvedThreads,
  reactions,
  checkRuns,
  sarifUploads,
  workflowJobs,
  deliver,
  say,
  settled,
};
/** Builders of webhooks. */
const EVENTS = {
  issueComment: issueCommentEvent,
  issue: issueEvent,
  issueLabeled: issueLabeledEvent,
  issueAssigned: issueAssignedEvent,
  pullRequest: pullRequestEvent,
  reviewComment: reviewCommentEvent,
  review: reviewEvent,
  checkRun: checkRunEvent,
  workflowRun: workflowRunEvent,
};

type Bound<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (world: World, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** A GitHub of one's own on the loopback interface: REST, GraphQL, git over HTTP, webhooks, and a record of all that arrived. */
export interface EmbeddedGitHub extends Bound<typeof ACTIONS> {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** For Octokit's `baseUrl`. */
  readonly apiUrl: string;
  /** For `GHE_HOST`, with `GHE_PROTOCOL` set to `http`. */
  readonly host: string;
  readonly appId: number;
  readonly slug: string;
  /** `<slug>[bot]` */
  readonly botLogin: string;
  readonly installationId: number;
  /** PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** What the product's environment says of this GitHub: the App's credentials, the host, and a free loopback port to listen on. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every request, in the order of arrival, git's included. */
  readonly requests: readonly RecordedRequest[];
  /** Every request to the storage that logs and attachments are redirected to. */
  readonly storageRequests: readonly StorageRequest[];
  /** Every webhook that was sent. */
  readonly deliveries: readonly Delivery[];
  readonly events: Bound<typeof EVENTS>;
  /** Where webhooks go, `http://127.0.0.1:3000/api/github/webhooks`. Until it is set, writes are not announced. */
  webhookTarget: string | undefined;
  /** Makes something go wrong; answers what takes it back. */
  fault(fault: Fault): () => void;
  /** Ends the server, its connections and the deliveries on their way. The folder is left to its owner. */
  stop(): Promise<void>;
}

export interface EmbeddedGitHubOptions {
  /** An existing or new folder for the git repositories. */
  readonly directory: string;
  readonly appId?: number;
  readonly slug?: string;
  readonly webhookSecret?: string;
  /** What the installation grants; what the App's manifest asks for, when absent. */
  readonly permissions?: Permissions;
  /** The webhooks that the App listens to; what its manifest asks for, when absent. `deliver` sends any. */
  readonly events?: readonly string[];
  /** How git's server is started; from this process when absent. */
  readonly start?: StartProcess;
}

const GRANTED: Permissions = {
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  actions: "read",
  metadata: "read",
};
const SUBSCRIBED = ["issue_comment", "issues", "pull_request", "pull_request_review", "pull_request_review_comment"];

/**
 * Starts an empty GitHub with one App and its one installation, on a free port of 127.0.0.1.
 * Logins, repositories and their content are made with its functions; nothing outside `directory` is touched.
 */
export async function startEmbeddedGitHub(options: EmbeddedGitHubOptions): Promise<EmbeddedGitHub> {
  const world = newWorld(options);
  mkdirSync(world.directory, { recursive: true });
  for (const login of [world.app.botLogin, "ghost"]) addUser(world, login);
  addUser(world, "octo-apps", "Organization");
  const server = await listen(world);
  const storage = await listenForStorage(world);
  const { id: appId, slug, botLogin, installationId, privateKey, webhookSecret } = world.app;
  return {
    ...bind(world, ACTIONS),
    events: bind(world, EVENTS),
    origin: world.origin,
    apiUrl: `${world.origin}/api/v3`,
    host: new URL(world.origin).host,
    appId,
    slug,
    botLogin,
    installationId,
    privateKey,
    webhookSecret,
    environment: {
      APP_ID: String(appId),
      PRIVATE_KEY: privateKey,
      WEBHOOK_SECRET: webhookSecret,
      GHE_HOST: new URL(world.origin).host,
      GHE_PROTOCOL: "http",
      HOST: "127.0.0.1",
      PORT: "0",
    },
    requests: world.requests,
    storageRequests: world.storageRequests,
    deliveries: world.deliveries,
    get webhookTarget() {
      return world.webhookTarget;
    },
    set webhookTarget(target) {
      world.webhookTarget = target;
    },
    fault(fault) {
      const armed = armFault(fault);
      world.faults.push(armed);
      return () => {
        armed.left = 0;
      };
    },
    async stop() {
      world.stopped.abort();
      await Promise.all([close(server), close(storage)]);
      await settled(world);
    },
  };
}

function newWorld({ directory, start = startHere, ...options }: EmbeddedGitHubOptions): World {
  return {
    directory,
    start,
    app: newApp(options),
    origin: "",
    storageOrigin: "",
    nextId: 1000,
    webhookTarget: undefined,
    accounts: new Map(),
    repositories: new Map(),
    tokens: new Map(),
    requests: [],
    attachments: new Map(),
    storageRequests: [],
    faults: [],
    askedApps: new Map(),
    client: undefined,
    visitor: undefined,
    signInCodes: new Map(),
    deliveries: [],
    attempts: [],
    pending: new Set<Promise<unknown>>(),
    stopped: new AbortController(),
  };
}

function newApp(options: Omit<EmbeddedGitHubOptions, "directory" | "start">): AppIdentity {
  const { appId = 4242, slug = "sallyport", webhookSecret = "embedded-webhook-secret" } = options;
  const { permissions = GRANTED, events = SUBSCRIBED } = options;
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    id: appId,
    slug,
    botLogin: `${slug}[bot]`,
    installationId: 777,
    permissions,
    publicKey,
    privateKey: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    events,
    webhookSecret,
  };
}

function bind<Functions extends Record<string, (world: World, ...rest: never[]) => unknown>>(
  world: World,
  functions: Functions,
): Bound<Functions> {
  const bound = Object.entries(functions).map(([name, action]) => [name, action.bind(undefined, world)]);
  return Object.fromEntries(bound) as Bound<Functions>;
}
