import { ApiError } from "./api-error.ts";

/** The body of a request, a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of a request's body; 422 when it is something else. Null counts as absent. */
export function optionalText(body: Fields, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrongType(name, value, "string");
  return value;
}

/** As `optionalText`; 422 also when it is absent. */
export function requiredText(body: Fields, name: string): string {
  const value = optionalText(body, name);
  if (value === undefined) throw missing(name);
  return value;
}

export function optionalNumber(body: Fields, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value)) throw wrongType(name, value, "integer");
  return value;
}

export function optionalList(body: Fields, name: string): readonly unknown[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw wrongType(name, value, "array");
  return value;
}

/** A list of texts. */
export function optionalTexts(body: Fields, name: string): readonly string[] | undefined {
  return optionalList(body, name)?.map((value) => {
    if (typeof value !== "string") throw wrongType(name, value, "string");
    return value;
  });
}

/** A list of objects. */
export function optionalObjects(body: Fields, name: string): readonly Fields[] | undefined {
  return optionalList(body, name)?.map((value) => {
    if (!isFields(value)) throw wrongType(name, value, "object");
    return value;
  });
}

export function optionalObject(body: Fields, name: string): Fields | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) throw wrongType(name, value, "object");
  return value;
}

/** One of a closed set of words. */
export function optionalWord<W extends string>(body: Fields, name: string, words: readonly W[]): W | undefined {
  const value = optionalText(body, name);
  if (value === undefined) return undefined;
  const known = words.find((word) => word === value);
  if (known === undefined)
    throw new ApiError(422, `Invalid request.\n\n${JSON.stringify(value)} is not a member of ${JSON.stringify(words)}.`);
  return known;
}

function missing(name: string): ApiError {
  return new ApiError(422, `Invalid request.\n\n"${name}" wasn't supplied.`);
}

function wrongType(name: string, value: unknown, expected: string): ApiError {
  const article = /^[aio]/.test(expected) ? "an" : "a";
  return new ApiError(422, `Invalid request.\n\nFor 'properties/${name}', ${JSON.stringify(value)} is not ${article} ${expected}.`);
}
