import type { Span, Tracer as ApiTracer } from "@opentelemetry/api";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";

/** What a span may say: names, ids and numbers; never a text of people, models or files. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Spans around work. What `work` answers or throws is passed on as it is. */
export interface Tracer {
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** One that has ended already, `seconds` long, under the span that is open here. */
  past(name: string, attributes: Attributes, seconds: number): void;
}

/** Traces nothing, and costs nothing. */
export const untraced: Tracer = { span: (_, __, work) => work(), past() {} };

/**
 * Spans of OpenTelemetry where `OTEL_EXPORTER_OTLP_ENDPOINT` is set, with an SDK of the operator's: one that is registered already
 * (`NODE_OPTIONS=--import …`), else `@opentelemetry/sdk-node`, which reads the standard variables itself. Nothing is loaded otherwise.
 */
export async function openTracer(
  variables: Readonly<Record<string, string | undefined>>,
  { version, log, load = loadSdk }: { readonly version: string; readonly log: Logger; readonly load?: () => Promise<unknown> },
): Promise<Tracer & AsyncDisposable> {
  const nothing = { ...untraced, [Symbol.asyncDispose]: () => Promise.resolve() };
  if ((variables["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "").trim() === "") return nothing;
  const api = await import("@opentelemetry/api");
  const sdk = isRegistered(api.trace.getTracer("probe")) ? undefined : await startSdk(load, log);
  const tracer = api.trace.getTracer("sallyport", version);
  const failed = (span: Span, error: unknown): void => void span.setStatus({ code: api.SpanStatusCode.ERROR, message: kindOf(error) });
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes: { ...attributes } }, async (span) => {
        try {
          return await work();
        } catch (error) {
          failed(span, error);
          throw error;
        } finally {
          span.end();
        }
      }),
    past(name, attributes, seconds) {
      const now = Date.now();
      tracer.startSpan(name, { startTime: now - seconds * 1000, attributes: { ...attributes } }).end(now);
    },
    async [Symbol.asyncDispose]() {
      await sdk?.shutdown().catch((error: unknown) => log.warn({ error: messageOf(error) }, "the last traces could not be sent"));
    },
  };
}

interface Sdk {
  start(): void;
  shutdown(): Promise<void>;
}

async function startSdk(load: () => Promise<unknown>, log: Logger): Promise<Sdk | undefined> {
  try {
    const { NodeSDK } = (await load()) as { readonly NodeSDK: new () => Sdk };
    const sdk = new NodeSDK();
    sdk.start();
    log.info({}, "traces are sent to OTEL_EXPORTER_OTLP_ENDPOINT");
    return sdk;
  } catch (error) {
    log.warn(
      { error: messageOf(error) },
      "OTEL_EXPORTER_OTLP_ENDPOINT is set, and no traces are sent: install @opentelemetry/sdk-node, or register another SDK",
    );
    return undefined;
  }
}

/** By a name that no bundler follows: it is not among our dependencies. */
const loadSdk = (): Promise<unknown> => import(["@opentelemetry", "sdk-node"].join("/"));

/** Without an SDK the API hands out spans that record nothing. */
function isRegistered(tracer: ApiTracer): boolean {
  const span = tracer.startSpan("probe");
  const records = span.isRecording();
  span.end();
  return records;
}

/** Messages of errors may quote anybody; their kind does not. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
