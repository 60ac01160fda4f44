/** An error that GraphQL answers with status 200. */
export class GraphqlError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.name = "GraphqlError";
    this.type = type;
  }
}
