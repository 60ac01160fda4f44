import type { KeyObject } from "node:crypto";
import type { StartProcess } from "../../processes/start-process.ts";
import type { ArmedFault } from "./faults.ts";
import type { Delivery, DeliveryAttempt } from "./webhooks/delivery.ts";
import type { DiffFile } from "./git/diff.ts";
import type { RecordedRequest } from "./record.ts";

/** A repository permission as GitHub's `role_name` has it. */
export type Role = "none" | "read" | "triage" | "write" | "maintain" | "admin";
/** What an App is granted: permission name (`contents`, `issues`, …) to level. */
export type Permissions = Readonly<Record<string, "read" | "write">>;

export interface Account {
  readonly login: string;
  readonly id: number;
  readonly type: "User" | "Organization" | "Bot";
}

export interface Issue {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string | null;
  /** Login; null for an account that was deleted. */
  user: string | null;
  state: "open" | "closed";
  locked: boolean;
  labels: string[];
  assignees: string[];
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
}

/** A pull request is an issue with two ends; one object stands in both lists. */
export interface Pull extends Issue {
  readonly pullId: number;
  readonly headRepository: string;
  headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  draft: boolean;
  merged: boolean;
}

export interface IssueComment {
  readonly id: number;
  readonly number: number;
  readonly user: string | null;
  body: string;
  /** Every body it has had, oldest first. */
  readonly history: string[];
  readonly viaApp: boolean;
  readonly createdAt: string;
  updatedAt: string;
}

export interface ReviewComment extends IssueComment {
  readonly path: string;
  readonly line: number | null;
  readonly side: "LEFT" | "RIGHT";
  readonly startLine: number | null;
  readonly startSide: "LEFT" | "RIGHT" | null;
  readonly subject: "line" | "file";
  readonly commitId: string;
  readonly inReplyTo: number | null;
  readonly review: number | null;
}

export interface Review {
  readonly id: number;
  readonly number: number;
  readonly user: string | null;
  body: string;
  state: "PENDING" | "COMMENTED" | "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED";
  readonly commitId: string;
  readonly submittedAt: string;
}

export interface CheckRun {
  readonly id: number;
  readonly headSha: string;
  name: string;
  status: string;
  conclusion: string | null;
  externalId: string;
  detailsUrl: string | null;
  startedAt: string;
  completedAt: string | null;
  output: { title: string | null; summary: string | null; text: string | null; annotations: unknown[] };
}

/** What was uploaded to code scanning. */
export interface SarifUpload {
  /** A UUID. */
  readonly id: string;
  readonly ref: string;
  readonly commitSha: string;
  /** The SARIF as it was sent, unpacked. */
  readonly sarif: string;
}

/** One step of a job, as GitHub counts them: what sets the job up is a step too. */
export interface JobStep {
  readonly name: string;
  readonly number: number;
  readonly status: "queued" | "in_progress" | "completed";
  readonly conclusion: string | null;
}

export interface WorkflowJob {
  readonly id: number;
  readonly runId: number;
  readonly attempt: number;
  readonly name: string;
  readonly status: "queued" | "in_progress" | "completed";
  readonly conclusion: string | null;
  readonly steps: readonly JobStep[];
  /** Absent when it has expired, or when the job never ran. */
  readonly log: string | Uint8Array | undefined;
}

export interface WorkflowRun {
  readonly id: number;
  readonly number: number;
  readonly name: string;
  readonly path: string;
  readonly headRepository: string;
  readonly headBranch: string;
  readonly headSha: string;
  readonly event: string;
  readonly status: "queued" | "in_progress" | "completed";
  readonly conclusion: string | null;
  readonly attempt: number;
  readonly actor: string;
  readonly triggeringActor: string;
  readonly createdAt: string;
}

/** A file that somebody dropped into a comment. */
export interface Attachment {
  readonly bytes: Uint8Array;
  /** Served to nobody without a token. */
  readonly isPrivate: boolean;
}

/** A request that reached the storage behind GitHub, which knows nothing of GitHub's tokens. */
export interface StorageRequest {
  readonly path: string;
  readonly authorization: string | undefined;
}

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export type ReactionTarget = "issue" | "issue-comment" | "review-comment";
export interface Reaction {
  readonly id: number;
  readonly target: ReactionTarget;
  /** The issue's number, or the comment's id. */
  readonly targetId: number;
  readonly content: string;
  readonly user: string;
  readonly createdAt: string;
}

export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly fullName: string;
  readonly gitDirectory: string;
  readonly defaultBranch: string;
  isPrivate: boolean;
  archived: boolean;
  /** Whether the App is installed here. */
  installed: boolean;
  /** Login, in lower case, to role. */
  readonly permissions: Map<string, Role>;
  readonly protectedBranches: Set<string>;
  readonly issues: Map<number, Issue>;
  readonly pulls: Map<number, Pull>;
  readonly comments: Map<number, IssueComment>;
  readonly reviewComments: Map<number, ReviewComment>;
  readonly reviews: Map<number, Review>;
  /** Conversations on lines that are resolved, by the remark that began them. */
  readonly resolvedThreads: Set<number>;
  readonly checkRuns: Map<number, CheckRun>;
  /** Whether code scanning takes anything. */
  codeScanning: boolean;
  /** Oldest first. */
  readonly sarifUploads: SarifUpload[];
  readonly workflowRuns: Map<number, WorkflowRun>;
  readonly workflowJobs: Map<number, WorkflowJob>;
  readonly labels: Map<string, Label>;
  readonly reactions: Reaction[];
  /** Differences by `base...head`: they never change, and git takes its time. */
  readonly diffs: Map<string, DiffFile[]>;
  readonly createdAt: string;
}

/** Who a token speaks for. Installation tokens are limited to permissions and repositories, and expire. */
interface Token {
  readonly kind: "installation" | "user";
  readonly login: string;
  readonly permissions: Permissions;
  readonly repositoryIds: readonly number[] | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface AppIdentity {
  readonly id: number;
  readonly slug: string;
  readonly botLogin: string;
  readonly installationId: number;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly publicKey: KeyObject;
  /** PEM (PKCS #1), as GitHub hands it out. */
  readonly privateKey: string;
  readonly webhookSecret: string;
}

/** An App that somebody confirmed on GitHub's page, until its code is exchanged. */
export interface AskedApp {
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** All that the embedded GitHub knows. Every function of this folder works on it; nothing else holds state. */
export interface World {
  readonly directory: string;
  /** How `git http-backend` is started. */
  readonly start: StartProcess;
  readonly app: AppIdentity;
  /** Set once the server listens. */
  origin: string;
  /** Where logs and attachments really lie: another host, to GitHub's eyes. Set once it listens. */
  storageOrigin: string;
  nextId: number;
  webhookTarget: string | undefined;
  readonly accounts: Map<string, Account>;
  readonly repositories: Map<string, Repository>;
  readonly tokens: Map<string, Token>;
  readonly requests: RecordedRequest[];
  readonly attachments: Map<string, Attachment>;
  readonly storageRequests: StorageRequest[];
  readonly faults: ArmedFault[];
  /** By the codes that their credentials are handed out for. */
  readonly askedApps: Map<string, AskedApp>;
  /** By which people sign in to an App that was made by its manifest, and where they come back to. */
  client: { readonly id: string; readonly secret: string; readonly callback: string | undefined } | undefined;
  visitor: { readonly login: string; readonly callback?: string } | undefined;
  /** Of people who were sent back, each good once. */
  readonly signInCodes: Map<string, { readonly login: string; readonly challenge: string }>;
  readonly deliveries: Delivery[];
  /** The same with what can be sent again, as the App's list of deliveries shows them. */
  readonly attempts: DeliveryAttempt[];
  /** Deliveries on their way. */
  readonly pending: Set<Promise<unknown>>;
  readonly stopped: AbortController;
}

export function takeId(world: World): number {
  world.nextId += 1;
  return world.nextId;
}

/** GitHub's time stamps: ISO 8601 in seconds. */
export function timestamp(ms = Date.now()): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

/** A repository by its full name, whatever the case; throws when the test has not made it. */
export function repositoryOf(world: World, named: string | Repository): Repository {
  if (typeof named !== "string") return named;
  const found = world.repositories.get(named.toLowerCase());
  if (!found)
    throw new Error(`There is no repository ${named} in the embedded GitHub; it has: ${[...world.repositories.keys()].join(", ")}.`);
  return found;
}
