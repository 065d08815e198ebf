import {
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  getNumberFromEnv,
  getStringFromEnv,
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { startStopwatch } from './stopwatch.ts';
import type { Span, Tracing } from './tracing.ts';

/**
 * Traces by OpenTelemetry, exported over OTLP/HTTP. Reads the standard variables (OTEL_…) from the environment;
 * docs/tracing.md lists them. It registers nothing globally, and patches no module.
 */

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
/** Time-out of the last export on stopping (milliseconds). */
const MAX_WAIT = 3_000;
/** The minimum between two log lines about an unavailable collector (milliseconds). */
const LOG_INTERVAL = 60_000;

const HEADERS = {
  get: (carrier: Record<string, string | undefined>, key: string) => carrier[key],
  keys: (carrier: Record<string, string | undefined>) => Object.keys(carrier),
};

/** `onError` is called when an export fails. Throws RangeError on an unknown sampler. */
export function startTracing(onError: (error: unknown) => void): Tracing {
  const elapsed = startStopwatch();
  let loggedAt: number | null = null;
  setGlobalErrorHandler((error) => {
    if (loggedAt !== null && elapsed() - loggedAt < LOG_INTERVAL) return;
    loggedAt = elapsed();
    onError(error);
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  const propagator = new W3CTraceContextPropagator();
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'partner-booking' }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(getStringFromEnv('OTEL_TRACES_SAMPLER'), getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG')),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batching() })],
  });
  const tracer = provider.getTracer('partner-booking');

  function wrap(span: SdkSpan, context: Context): Span {
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      ids: { trace_id: traceId, span_id: spanId },
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      isSampled: (traceFlags & 1) === 1,
      run: (work) => contexts.with(context, work),
      rename: (name) => void span.updateName(name),
      set: (attributes) => void span.setAttributes(attributes),
      fail(type) {
        span.setAttribute('error.type', type);
        span.setStatus({ code: SpanStatusCode.ERROR });
      },
      end() {
        ended.add(span);
        span.end();
      },
    };
  }
  const ended = new WeakSet<SdkSpan>();

  return {
    start(name, { kind, parent, attributes = {} }) {
      const above =
        parent === undefined ? contexts.active() : propagator.extract(ROOT_CONTEXT, parent, HEADERS);
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, above);
      return wrap(span, trace.setSpan(above, span));
    },
    active() {
      const context = contexts.active();
      const span = trace.getSpan(context);
      return span === undefined || ended.has(span) ? null : wrap(span, context);
    },
    apart: (work) => contexts.with(ROOT_CONTEXT, work),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT).unref());
      await Promise.race([provider.shutdown().catch(onError), late]);
    },
  };
}

/** OTEL_TRACES_SAMPLER, by the names of the specification, which the SDK does not read itself. */
function samplerOf(name = 'parentbased_always_on', ratio = 1): Sampler {
  const samplers: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[name.replace(/^parentbased_/, '')]?.();
  if (root === undefined)
    throw new RangeError(
      `OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, with or without parentbased_, not "${name}"`,
    );
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** OTEL_BSP_…: the batching of spans before export. */
function batching() {
  const given = {
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
