import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { afterwards } from './harness.ts';

export type CollectedSpan = {
  traceId: string;
  spanId: string;
  /** Empty: the root of its trace. */
  parentSpanId: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  status: number;
  service: unknown;
};

export type Collector = {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** Every body, unchanged. */
  bodies: string[];
};

type Attribute = { key: string; value: Record<string, unknown> };
const valuesOf = (attributes: Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector of OTLP over HTTP with JSON, closed after the test. */
export async function startCollector(t: TestContext): Promise<Collector> {
  const collector: Collector = { url: '', spans: [], bodies: [] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    collector.bodies.push(text);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      const service = valuesOf(resource.attributes)['service.name'];
      for (const { spans } of scopeSpans) {
        for (const span of spans) {
          const { traceId, spanId, parentSpanId = '', name, kind, attributes, status } = span;
          collector.spans.push({
            ...{ traceId, spanId, parentSpanId, name, kind, service },
            attributes: valuesOf(attributes),
            status: status?.code ?? 0,
          });
        }
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.close();
    server.closeAllConnections();
  });
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return collector;
}
