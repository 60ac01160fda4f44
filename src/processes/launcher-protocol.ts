import type { ProcessCommand, ProcessEnd } from "./start-process.ts";

/** Streams of a program, in the order of their file descriptors. */
export const STREAMS = 3;

/** Bytes with which the launcher opens each connection: the program's key (32 hexadecimal digits) and the number of the stream. */
export const HEADER_LENGTH = 33;

/** From the product to its launcher. */
export type LauncherRequest = { readonly start: ProcessCommand; readonly key: string } | { readonly kill: string };

/** From the launcher. */
export type LauncherAnswer =
  | { readonly key: string; readonly ended: ProcessEnd }
  | { readonly key: string; readonly failed: { readonly message: string; readonly code?: string } };
