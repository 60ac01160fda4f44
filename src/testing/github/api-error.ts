/** An answer other than success, with GitHub's body. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.body = { message, ...extra, documentation_url: "https://docs.github.com/rest", status: String(status) };
  }
}

export function notFound(message = "Not Found"): ApiError {
  return new ApiError(404, message);
}

/** One entry of a validation error. Source: https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api */
export interface FieldError {
  readonly resource: string;
  readonly field?: string;
  readonly code: "missing" | "missing_field" | "invalid" | "already_exists" | "unprocessable" | "custom";
  readonly message?: string;
}

export function invalid(...errors: FieldError[]): ApiError {
  return new ApiError(422, "Validation Failed", { errors });
}

export function inaccessible(): ApiError {
  return new ApiError(403, "Resource not accessible by integration");
}

export function emptyRepository(): ApiError {
  return new ApiError(409, "Git Repository is empty.");
}

/** Longest body of a comment, issue, pull request or review, in UTF-16 units. */
export const LONGEST_BODY = 65_536;

export function tooLong(resource: string): ApiError {
  return invalid({
    resource,
    code: "custom",
    field: "body",
    message: `body is too long (maximum is ${LONGEST_BODY} characters)`,
  });
}
