/**
 * What the service needs of OpenTelemetry, without it: nothing of it is loaded unless traces have somewhere to go
 * (tracing-sdk.ts). Where there is `Tracing | null`, null is a service that is not traced and does nothing for it.
 */

/** Attributes hold no personal data, no credentials and no values of statements. */
export type Attributes = Record<string, string | number | boolean>;

export type SpanOptions = {
  kind: 'server' | 'client' | 'internal';
  /** What it continues: headers of a request, or a `traceparent` that was kept. Left out: the span at work. */
  parent?: { traceparent?: string | undefined; tracestate?: string | undefined };
  attributes?: Attributes;
};

/** The names that log lines have for them. */
export type TraceIds = { trace_id: string; span_id: string };

export type Span = {
  readonly ids: TraceIds;
  /** As the header `traceparent` has it. */
  readonly traceparent: string;
  /** Will it be exported? */
  readonly isSampled: boolean;
  /** Runs the work as part of the span: spans begun there are below it. */
  run<T>(work: () => T): T;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** It failed: a SQLSTATE, a status or the name of an error, never a message, which may quote values. */
  fail(type: string): void;
  end(): void;
};

export type Tracing = {
  start(name: string, options: SpanOptions): Span;
  /** The span at work, or null. One that has ended is at work no more. */
  active(): Span | null;
  /** Runs the work as part of no span. */
  apart<T>(work: () => T): T;
  /** Exports what is left, for a few seconds at most. */
  close(): Promise<void>;
};

/** Runs the work in a span; what it throws fails the span. */
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

/** The same below the span at work; without one there is none. */
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
