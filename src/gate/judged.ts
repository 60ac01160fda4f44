import type { Operation, WorkspaceWrite } from "../core/operation.ts";

export type Awaitable<T> = T | Promise<T>;
/** What a door can be shown: a tool's write at the inner one, everything that leaves at the outer one. */
export type Judged = Operation | WorkspaceWrite;
export type JudgedKind = Judged["kind"];
