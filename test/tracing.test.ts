import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { addDays, dateOf } from '../src/base/clock.ts';
import { parseConfig } from '../src/program/config.ts';
import { type ChildService, startChildService } from './child-service.ts';
import { call, createPostgresDatabase, OPERATOR_TOKEN, onPostgres, SECRETS_KEY } from './harness.ts';
import { startMoyasar } from './moyasar-server.ts';
import { type CollectedSpan, type Collector, startCollector } from './otlp-collector.ts';
import { providerEnv } from './payment-flows.ts';
import { startUnifonic } from './unifonic-server.ts';
import { until } from './until.ts';
import { startReceiver } from './webhook-receiver.ts';

const PHONE = '+966501239876';
const CUSTOMER = 'Noura Al-Qahtani';

/** The real program with demo data, on the database that the tests run on. */
async function startProgram(t: TestContext, env: Record<string, string>): Promise<ChildService> {
  if (!onPostgres) return startChildService(t, env);
  return startChildService(t, {
    DATABASE_URL: await createPostgresDatabase(t),
    DEPLOYMENT: 'sandbox',
    SEED: 'demo-setup',
    OPERATOR_TOKEN,
    SECRETS_KEY,
    ...env,
  });
}

/** The real program with all its servers, and a partner under PLATFORM with webhooks. */
async function startTraced(t: TestContext, env: Record<string, string>) {
  const receiver = await startReceiver(t);
  const [moyasar, unifonic] = [await startMoyasar(t), await startUnifonic(t)];
  const child = await startProgram(t, {
    ...providerEnv(moyasar, unifonic),
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    LOG_LEVEL: 'info',
    ...env,
  });
  const asked = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const answer = await call(child.baseUrl, method, path, body, {
      'x-api-key': child.keys.platform,
      ...headers,
    });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const partners = await call(child.baseUrl.replace(/v1$/, 'operator'), 'GET', '/partners', undefined, {
    authorization: `Bearer ${child.operatorToken}`,
  });
  const { id } = partners.body.data.find(({ name }: { name: string }) => name === 'Demo Platform');
  const allowed = await call(
    child.baseUrl.replace(/v1$/, 'operator'),
    'PATCH',
    `/partners/${id}`,
    { allowedWebhookDomains: ['127.0.0.1'] },
    { authorization: `Bearer ${child.operatorToken}` },
  );
  assert.equal(allowed.status, 200, allowed.text);
  await asked('POST', '/partners/webhooks/subscriptions', { url: receiver.url, events: ['booking.created'] });

  /** Books as the partner, with the headers on the last request. */
  async function book(headers: Record<string, string>) {
    const contact = await asked('POST', '/partners/contacts', {
      phone: PHONE,
      name: CUSTOMER,
      latitude: '24.7136',
      longitude: '46.6753',
    });
    const { id: contactId, addressId } = contact.body.data;
    const { body } = await asked('GET', `/partners/services?addressId=${addressId}`);
    const serviceId = body.data[0].services[0].id;
    const date = addDays(dateOf(Date.now()), 3);
    const slots = await asked(
      'GET',
      `/partners/timeslots/available?addressId=${addressId}&serviceId=${serviceId}&date=${date}`,
    );
    const timeslot = slots.body.data.slots[0];
    return asked(
      'POST',
      '/partners/bookings',
      { contactId, addressId, serviceId, date, timeslot, externalReference: 'The green door' },
      headers,
    );
  }
  return { child, receiver, moyasar, book };
}

const named = (spans: CollectedSpan[], name: string): CollectedSpan => {
  const found = spans.find((span) => span.name === name);
  assert.ok(found, `${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
};

async function spansOf(collector: Collector, traceId: string, names: string[]): Promise<CollectedSpan[]> {
  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
  await until(
    () => names.every((name) => ofTrace().some((span) => span.name === name)),
    () => ofTrace().map(({ name }) => name),
  );
  return ofTrace();
}

test("one trace from the partner's traceparent to the delivery's and the gateway's call", async (t) => {
  const collector = await startCollector(t);
  const it = await startTraced(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'booking-of-the-tests',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  const traceId = randomBytes(16).toString('hex');
  const caller = randomBytes(8).toString('hex');
  const made = await it.book({
    traceparent: `00-${traceId}-${caller}-01`,
    'x-request-id': 'request-of-the-test',
  });

  const route = 'POST /v1/partners/bookings';
  const spans = await spansOf(collector, traceId, [
    route,
    'book-appointments',
    'deliver booking.created',
    'POST',
    'moyasar createLink',
    'unifonic send',
  ]);
  const request = named(spans, route);
  assert.equal(request.parentSpanId, caller);
  assert.equal(request.service, 'booking-of-the-tests');
  assert.equal(request.attributes['http.response.header.x-request-id'], 'request-of-the-test');
  const transaction = named(spans, 'transaction');
  assert.equal(transaction.parentSpanId, request.spanId);
  assert.equal(named(spans, 'book-appointments').parentSpanId, transaction.spanId);
  const delivery = named(spans, 'deliver booking.created');
  assert.equal(delivery.parentSpanId, transaction.spanId);
  const attempt = named(spans, 'POST');
  assert.equal(attempt.parentSpanId, delivery.spanId);
  assert.equal(it.receiver.received[0]!.headers.traceparent, `00-${traceId}-${attempt.spanId}-01`);
  const step = spans.find(({ spanId }) => spanId === named(spans, 'moyasar createLink').parentSpanId);
  assert.equal(step?.name, 'payment step');

  // The request id leads to the trace, in the response's log line and in those before it.
  assert.equal(made.headers.get('x-request-id'), 'request-of-the-test');
  await until(() => it.child.output().includes('"requestId":"request-of-the-test"'));
  const line = it.child
    .output()
    .split('\n')
    .find((text) => text.includes('"requestId":"request-of-the-test"'))!;
  assert.partialDeepStrictEqual(JSON.parse(line), { trace_id: traceId, span_id: request.spanId });

  const metrics = await fetch(it.child.baseUrl.replace(/v1$/, 'metrics'));
  assert.match(metrics.headers.get('content-type')!, /^application\/openmetrics-text/);
  const text = await metrics.text();
  const exemplar = `# \\{trace_id="${traceId}"\\}`;
  assert.match(text, new RegExp(`^http_request_duration_seconds_bucket.*bookings.* ${exemplar}`, 'm'));
  assert.match(text, new RegExp(`^http_requests_total.*bookings.* ${exemplar}`, 'm'));
  assert.match(text, new RegExp(`^webhook_attempt_duration_seconds_bucket.* ${exemplar}`, 'm'));
  assert.match(text, /# EOF\n$/);

  // Names, phones, notes, coordinates, keys and links stay where they are.
  const exported = collector.bodies.join('\n');
  const link = [...it.moyasar.invoices.values()][0]!.url;
  for (const secret of [
    PHONE,
    PHONE.slice(1),
    CUSTOMER,
    'green door',
    '24.7136',
    it.child.keys.platform,
    link,
  ]) {
    assert.ok(!exported.includes(secret), `${secret} was exported`);
  }
});

test("a caller's decision not to sample is respected, and an unknown sampler refuses the start", async (t) => {
  const collector = await startCollector(t);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
  const child = await startProgram(t, env);
  const headers = { 'x-api-key': child.keys.partner };
  const unsampled = randomBytes(16).toString('hex');
  await call(child.baseUrl, 'GET', '/partners/bookings', undefined, {
    ...headers,
    traceparent: `00-${unsampled}-${randomBytes(8).toString('hex')}-00`,
  });
  // An invalid traceparent starts a new trace.
  await call(child.baseUrl, 'GET', '/partners/bookings', undefined, { ...headers, traceparent: 'nonsense' });
  await until(() => collector.spans.some(({ name }) => name === 'GET /v1/partners/bookings'));
  const found = collector.spans.filter(({ name }) => name === 'GET /v1/partners/bookings');
  assert.deepEqual(
    found.map(({ parentSpanId }) => parentSpanId),
    [''],
  );
  assert.ok(!collector.spans.some(({ traceId }) => traceId === unsampled));

  await assert.rejects(
    startProgram(t, { ...env, OTEL_TRACES_SAMPLER: 'sometimes' }),
    /OTEL_TRACES_SAMPLER must be .*not "sometimes"/,
  );
});

/** Prints, when it ends, which modules of OpenTelemetry were loaded. */
const LISTS_MODULES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (found.url.includes('opentelemetry')) console.log('loaded ' + found.url);
      return found;
    },
  });
`)}`;

test('without a collector the SDK of OpenTelemetry is not loaded; with one it is', async (t) => {
  const plain = await startProgram(t, { NODE_OPTIONS: `--import ${LISTS_MODULES}` });
  const answer = await call(plain.baseUrl, 'GET', '/partners/bookings', undefined, {
    'x-api-key': plain.keys.partner,
  });
  assert.equal(answer.status, 200);
  const metrics = await fetch(plain.baseUrl.replace(/v1$/, 'metrics'));
  assert.match(metrics.headers.get('content-type')!, /^text\/plain/);
  // The metrics library loads the interface, which alone does nothing.
  assert.doesNotMatch(plain.output(), /^loaded (?!.*@opentelemetry\/api\/).*/m);

  const collector = await startCollector(t);
  const traced = await startProgram(t, {
    NODE_OPTIONS: `--import ${LISTS_MODULES}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  assert.match(traced.output(), /^loaded .*@opentelemetry\/sdk-trace\//m);
});

test('an unavailable collector is one line in the log, and affects no request', async (t) => {
  // On the embedded database: the tests above are on a server's.
  const child = await startChildService(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  });
  for (let round = 0; round < 3; round++) {
    const answer = await call(child.baseUrl, 'GET', '/partners/bookings', undefined, {
      'x-api-key': child.keys.partner,
    });
    assert.equal(answer.status, 200);
  }
  const lines = () => child.output().split('traces could not be exported').length - 1;
  await until(() => lines() > 0);
  assert.equal(lines(), 1);
});

test('OTEL_SDK_DISABLED switches it off, and an endpoint must be a URL', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  assert.equal(parseConfig({}).tracing, false);
  assert.equal(parseConfig(endpoint).tracing, true);
  assert.equal(
    parseConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }).tracing,
    true,
  );
  assert.equal(parseConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).tracing, false);
  assert.throws(
    () => parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }),
    /OTEL_EXPORTER_OTLP_ENDPOINT/,
  );
});
