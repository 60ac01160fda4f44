import { context, trace, type Span, type TracerProvider } from "@opentelemetry/api";
import { afterEach, expect, test, vi } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { openTracer } from "../../../src/telemetry/tracer.ts";

const ON = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
const work = () => Promise.resolve("done");
afterEach(() => {
  trace.disable();
  context.disable();
});

/** An SDK as far as spans go: what was started, and how it ended. */
function recording() {
  const spans: string[] = [];
  const spanOf = (name: string): Span => {
    const span: Partial<Span> = {
      isRecording: () => true,
      setStatus: ({ message }) => (spans.push(`${name} failed: ${message}`), span as Span),
      end: () => void spans.push(`${name} ended`),
      spanContext: () => ({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 }),
    };
    return span as Span;
  };
  const startActiveSpan = (name: string, _: unknown, run: (span: Span) => unknown) => run(spanOf(name));
  const provider = { getTracer: () => ({ startSpan: spanOf, startActiveSpan }) } as unknown as TracerProvider;
  return { provider, spans };
}

test("nothing is loaded and nothing changes without the exporter's address", async () => {
  const load = vi.fn<() => Promise<unknown>>();
  await using tracer = await openTracer({ OTEL_EXPORTER_OTLP_ENDPOINT: " " }, { version: "1", log: silent, load });
  expect(await tracer.span("run", {}, work)).toBe("done");
  expect(load).not.toHaveBeenCalled();
});

test("spans go to an SDK that is registered already, whose errors are named and not quoted", async () => {
  const { provider, spans } = recording();
  trace.setGlobalTracerProvider(provider);
  const load = vi.fn<() => Promise<unknown>>();
  await using tracer = await openTracer(ON, { version: "1", log: silent, load });
  expect(await tracer.span("run", { run: "r1" }, work)).toBe("done");
  const failing = () => Promise.reject(Object.assign(new TypeError("hunter2"), { code: "bad-thing" }));
  await expect(tracer.span("model.complete", {}, failing)).rejects.toThrow("hunter2");
  tracer.past("phase.publish", {}, 2);
  expect(spans.filter((line) => !line.startsWith("probe"))).toEqual([
    "run ended",
    "model.complete failed: bad-thing",
    "model.complete ended",
    "phase.publish ended",
  ]);
  expect(load).not.toHaveBeenCalled();
});

test("the SDK is started where none is registered, and told to send what it holds at the end", async () => {
  const { provider, spans } = recording();
  const done: string[] = [];
  class NodeSDK {
    start() {
      trace.setGlobalTracerProvider(provider);
    }
    shutdown() {
      done.push("shut down");
      return Promise.resolve();
    }
  }
  const tracer = await openTracer(ON, { version: "1", log: silent, load: () => Promise.resolve({ NodeSDK }) });
  await tracer.span("run", {}, work);
  await tracer[Symbol.asyncDispose]();
  expect(spans).toEqual(["run ended"]);
  expect(done).toEqual(["shut down"]);
});

test("without any SDK the work goes on, and the log says what to install", async () => {
  const warned: string[] = [];
  const log = { ...silent, warn: (_: object, message: string) => void warned.push(message) };
  await using tracer = await openTracer(ON, { version: "1", log });
  expect(await tracer.span("run", {}, work)).toBe("done");
  expect(warned).toEqual([expect.stringContaining("install @opentelemetry/sdk-node")]);
});
