import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from '../db/connection.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { within } from '../db/within.ts';
import type { Span, Tracing } from './tracing.ts';

type RequestLabels = { method: string; route: string; status: number; partner: string };

export type HttpMetrics = { observe(labels: RequestLabels, seconds: number, span: Span | null): void };

export type Metrics = HttpMetrics & {
  /** The response to Prometheus. */
  text(): Promise<string>;
  contentType: string;
  /** A gauge that is read with each scrape: `{ label value: number }`. One of a name that is known stays as it is. */
  gauge(name: string, help: string, label: string, read: () => Promise<Record<string, number>>): void;
  /** A counter with one label; returns a function that adds to it. */
  counter(name: string, help: string, label: string): (labelValue: string, by: number) => void;
  /** A histogram of seconds with one label; returns a function that adds to it. */
  histogram(
    name: string,
    help: string,
    label: string,
    buckets: number[],
  ): (labelValue: string, seconds: number) => void;
};

/** Time-out of gauges that read the database (milliseconds). */
const MAX_WAIT = 1_000;
/** For how long a gauge keeps its last values while it cannot be read: rules wait out a failover (milliseconds). */
const KEEP = 600_000;

/**
 * Prometheus metrics of this process: requests by route and partner, durations by route, the pool. A traced service
 * exports OpenMetrics, with exemplars that link a bucket to a trace.
 */
export function createMetrics(db: Db, tracing: Tracing | null): Metrics {
  const registry = new Registry();
  const enableExemplars = tracing !== null;
  if (enableExemplars) (registry as Registry).setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
  collectDefaultMetrics({ register: registry });
  const exemplarOf = (span: Span | null) =>
    span?.isSampled ? { exemplarLabels: { trace_id: span.ids.trace_id } as never } : {};
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by route pattern and partner id',
    labelNames: ['method', 'route', 'status', 'partner'],
    registers: [registry],
    enableExemplars,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
    enableExemplars,
  });

  const ages = new Gauge({
    name: 'figures_age_seconds',
    help: 'Seconds between the last reading of a figure and this scrape: it keeps its value while it cannot be read',
    labelNames: ['figure'],
    registers: [registry],
  });

  function gauge(
    name: string,
    help: string,
    label: string,
    read: () => Promise<Record<string, number>>,
  ): void {
    if (registry.getSingleMetric(name) !== undefined) return;
    let readAt = performance.now();
    let reading: Promise<void> | null = null;
    ages.set({ figure: name }, 0);
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        ages.set({ figure: name }, (performance.now() - readAt) / 1_000);
        // A reading that takes longer than a scrape waits is of use to the next one.
        reading ??= read()
          .then((values) => {
            readAt = performance.now();
            for (const [key, value] of Object.entries(values)) this.set({ [label]: key }, value);
          })
          .finally(() => {
            reading = null;
          });
        await within(MAX_WAIT, reading).catch((error) => {
          if (!isUnavailable(error)) throw error;
        });
        if (performance.now() - readAt > KEEP) this.reset();
      },
    });
  }
  /** Cached for each combination of labels: hashing them costs more than counting. */
  const children = new Map<string, { requests: Counter.Internal; durations: Histogram.Internal<string> }>();
  function childrenOf({ method, route, status, partner }: RequestLabels) {
    const key = `${partner} ${status} ${method} ${route}`;
    let found = children.get(key);
    if (found === undefined) {
      found = {
        requests: requests.labels({ method, route, status, partner }),
        durations: durations.labels({ method, route }),
      };
      children.set(key, found);
    }
    return found;
  }

  gauge('db_pool_connections', 'Connections of the database pool', 'state', async () => db.stats());

  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    gauge,
    counter(name, help, label) {
      const known = registry.getSingleMetric(name) as Counter | undefined;
      const counter = known ?? new Counter({ name, help, labelNames: [label], registers: [registry] });
      return (labelValue, by) => counter.inc({ [label]: labelValue }, by);
    },
    histogram(name, help, label, buckets) {
      const registers = [registry];
      const histogram = new Histogram({
        name,
        help,
        labelNames: [label],
        buckets,
        registers,
        enableExemplars,
      });
      return (labelValue, seconds) => {
        const labels = { [label]: labelValue };
        if (tracing === null) histogram.observe(labels, seconds);
        else histogram.observe({ labels, value: seconds, ...exemplarOf(tracing.active()) });
      };
    },
    observe(labels, seconds, span) {
      if (tracing === null) {
        const found = childrenOf(labels);
        found.requests.inc();
        found.durations.observe(seconds);
      } else {
        const { method, route } = labels;
        requests.inc({ labels, value: 1, ...exemplarOf(span) });
        durations.observe({ labels: { method, route }, value: seconds, ...exemplarOf(span) });
      }
    },
  };
}
