// What embedders and authors of extensions import as `sallyport`. All else is inside and may change; tests import `sallyport/testing`.
export { startSallyport, type Sallyport, type StartOptions } from "./start-sallyport.ts";
export { ConfigurationError, SallyportError, type SallyportErrorOptions } from "./core/errors.ts";
export type { BlobRef, ChangeSet, FileChange, FileMode } from "./core/change-set.ts";
export type { Logger } from "./core/log.ts";
export type { Operation, OperationKind } from "./core/operation.ts";
export type { Decision, Finding, Severity, ToolResult } from "./core/result.ts";
export { decisionResult } from "./tools/decision-result.ts";
export type { Run, RunEnd, RunState, RunView } from "./core/run.ts";
export {
  defineExtension,
  type Actions,
  type Approve,
  type ArtifactStore,
  type Attachment,
  type Bot,
  type DerivedTool,
  type Entrypoint,
  type Events,
  type Extension,
  type Filters,
  type GateRule,
  type JsonSchemaObject,
  type ReadContext,
  type ReviewFinding,
  type RouteHandler,
  type Service,
  type ToolBinding,
  type ToolCollector,
  type ToolDeriver,
  type ToolHandler,
  type ToolOperation,
  type ToolRegistration,
  type ToolReturn,
  type ToolSpec,
  type ToolWrapper,
  type Unsubscribe,
  type VariableName,
  type WorkspaceReader,
  type WriteContext,
} from "./extensions/api.ts";
