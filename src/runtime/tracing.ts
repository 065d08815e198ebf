/**
 * The service's interface to OpenTelemetry, which is not loaded unless an exporter is configured (tracing-sdk.ts).
 * `Tracing
 * null`: null is an untraced service.
 */

/** Attributes hold no personal data, no credentials and no values of statements. */
export type Attributes = Record<string, string | number | boolean>;

export type SpanOptions = {
  kind: 'server' | 'client' | 'internal';
  /** The parent: headers of a request, or a stored `traceparent`. Absent: the active span. */
  parent?: { traceparent?: string | undefined; tracestate?: string | undefined };
  attributes?: Attributes;
};

/** Their names in log lines. */
export type TraceIds = { trace_id: string; span_id: string };

export type Span = {
  readonly ids: TraceIds;
  /** The value of the header `traceparent`. */
  readonly traceparent: string;
  /** Whether it is exported. */
  readonly isSampled: boolean;
  /** Runs the work with this span active. */
  run<T>(work: () => T): T;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks a failure: a SQLSTATE, a status or the name of an error, never a message, which may quote values. */
  fail(type: string): void;
  end(): void;
};

export type Tracing = {
  start(name: string, options: SpanOptions): Span;
  /** The active span, or null, also when it has ended. */
  active(): Span | null;
  /** Runs the work without an active span. */
  apart<T>(work: () => T): T;
  /** Exports the rest, within a few seconds. */
  close(): Promise<void>;
};

/** Runs the work in a span; an error fails the span. */
export async function inSpan<T>(
  tracing: Tracing,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracing.start(name, options);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Runs the work in a child of the active span; without one, in none. */
export function inChildSpan<T>(
  tracing: Tracing,
  name: string,
  options: Omit<SpanOptions, 'parent'>,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  return tracing.active() === null ? work(null) : inSpan(tracing, name, options, work);
}

function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : String(name);
}
