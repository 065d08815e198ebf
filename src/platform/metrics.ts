import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from './db.ts';

type RequestLabels = { method: string; route: string; status: number; partner: string };

export type HttpMetrics = { observe(labels: RequestLabels, seconds: number): void };

export type Metrics = HttpMetrics & {
  registry: Registry;
  /** A gauge that is read when the metrics are: `{ label value: number }`. */
  gauge(name: string, help: string, label: string, read: () => Promise<Record<string, number>>): void;
  /** A histogram of seconds by one label; answers how to add to it. */
  histogram(
    name: string,
    help: string,
    label: string,
    buckets: number[],
  ): (labelValue: string, seconds: number) => void;
};

/** Prometheus metrics of this process: requests by route and partner, durations by route, the pool. */
export function createMetrics(db: Db): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by route pattern and partner id',
    labelNames: ['method', 'route', 'status', 'partner'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });

  function gauge(
    name: string,
    help: string,
    label: string,
    read: () => Promise<Record<string, number>>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        for (const [key, value] of Object.entries(await read())) this.set({ [label]: key }, value);
      },
    });
  }
  gauge('db_pool_connections', 'Connections of the database pool', 'state', async () => db.stats());

  return {
    registry,
    gauge,
    histogram(name, help, label, buckets) {
      const histogram = new Histogram({ name, help, labelNames: [label], buckets, registers: [registry] });
      return (labelValue, seconds) => histogram.observe({ [label]: labelValue }, seconds);
    },
    observe({ method, route, status, partner }, seconds) {
      requests.inc({ method, route, status, partner });
      durations.observe({ method, route }, seconds);
    },
  };
}
