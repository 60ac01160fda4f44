// What tests of Sallyport and of its extensions start: an embedded GitHub and a scripted model, both on the loopback interface.
export { startEmbeddedGitHub, type EmbeddedGitHub, type EmbeddedGitHubOptions } from "./github/embedded-github.ts";
export type { Fault, FaultResponse } from "./github/faults.ts";
export type { RecordedRequest } from "./github/record.ts";
export type { RepositoryOptions } from "./github/seed/repositories.ts";
export type {
  CheckRun,
  Issue,
  IssueComment,
  Pull,
  Reaction,
  Repository,
  Review,
  ReviewComment,
  Role,
  WorkflowJob,
  WorkflowRun,
} from "./github/state.ts";
export type { Delivery } from "./github/webhooks/delivery.ts";
export type { WebhookEvent } from "./github/webhooks/events.ts";
export type { ReceivedMessage } from "./model/received-message.ts";
export type { ModelRequest } from "./model/request.ts";
export { resumable, startScriptedModel, type Script, type ScriptedModel } from "./model/scripted-model.ts";
export { call, say, type ScriptedCall, type Turn } from "./model/turn.ts";
