/** A call of an earlier assistant message. `arguments` is raw text. */
export interface ReceivedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ReceivedMessage {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly ReceivedCall[];
  /** Which call a tool's message answers. */
  readonly callId: string | undefined;
  /** The addresses of its pictures. */
  readonly images: readonly string[];
  /** Encrypted reasoning before it. */
  readonly sealed: readonly string[];
  /** Its content is an empty text, or a list with an empty part, which is not the same as none. */
  readonly hasEmptyContent: boolean;
}
