import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Type from 'typebox';
import { type Deprecation, deprecationHeaders } from '../src/http/deprecation.ts';
import { type App, createHttpApp } from '../src/http/edge.ts';
import { Body } from '../src/http/schemas.ts';
import { afterwards, call, startTestService } from './harness.ts';

const OLD: Deprecation = {
  since: '2026-12-01',
  sunset: '2027-03-01',
  link: 'https://booking.example/docs/moving',
};

/** A separate application with the given routes, on a real socket. */
async function listen(t: TestContext, routes: (app: App) => void): Promise<string> {
  const { deps } = await startTestService(t);
  const app = createHttpApp({
    logger: deps.logger,
    metrics: deps.metrics,
    trustedProxies: [],
    requireHttps: false,
    docsUrl: 'https://booking.example/docs',
  });
  afterwards(t, () => app.close());
  routes(app);
  return app.listen({ host: '127.0.0.1', port: 0 });
}

test("one line in a route's schema adds the headers to every response", async (t) => {
  const url = await listen(t, (app) => {
    const body = Body({ name: Type.String() });
    app.post('/old', { schema: { body, deprecated: OLD } }, async () => ({ success: true }));
    app.get('/fails', { schema: { deprecated: OLD } }, async () => {
      throw new Error('broken');
    });
    app.get(
      '/unlinked',
      { schema: { deprecated: { since: '2026-12-01', sunset: '2027-03-01' } } },
      async () => ({}),
    );
    app.get('/new', async () => ({ success: true }));
  });
  const told = async (method: string, path: string, body?: unknown) => {
    const { status, headers } = await call(url, method, path, body);
    return [status, ...['deprecation', 'sunset', 'link'].map((name) => headers.get(name))];
  };
  // date -d '2026-12-01T00:00:00+03:00' +%s
  const expected = [
    '@1796072400',
    'Sun, 28 Feb 2027 21:00:00 GMT',
    '<https://booking.example/docs/moving>; rel="deprecation"; type="text/html"',
  ];
  assert.deepEqual(await told('POST', '/old', { name: 'x' }), [200, ...expected]);
  assert.deepEqual(await told('POST', '/old', {}), [400, ...expected], 'a fault');
  assert.deepEqual(await told('POST', '/old', '{'), [400, ...expected], 'no JSON');
  assert.deepEqual(await told('GET', '/fails'), [500, ...expected], 'an unexpected error');
  assert.deepEqual(await told('GET', '/unlinked'), [200, ...expected.slice(0, 2), null]);
  assert.deepEqual(await told('GET', '/new'), [200, null, null, null]);
  assert.deepEqual(await told('GET', '/nowhere'), [404, null, null, null]);
});

test('a sunset less than 90 days after the deprecation refuses the start', async (t) => {
  const start = (deprecated: Deprecation) =>
    listen(t, (app) => void app.get('/old', { schema: { deprecated } }, async () => ({})));
  await assert.rejects(
    start({ since: '2026-12-01', sunset: '2027-02-28' }),
    /GET \/old .* less than 90 days/,
  );
  await start({ since: '2026-12-01', sunset: '2027-03-01' });
  const headers = (deprecated: Deprecation) => () => deprecationHeaders('GET /old', deprecated);
  assert.throws(headers({ since: '2026-02-30', sunset: '2027-03-01' }), /"2026-02-30", which is no date/);
  assert.throws(headers({ since: '2026-12-01', sunset: 'soon' }), /"soon", which is no date/);
  assert.throws(headers({ ...OLD, link: '/docs' }), /"\/docs", which is no URL/);
});
