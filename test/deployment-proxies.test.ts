import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TIMEOUTS } from '../src/http/edge.ts';
import { hasNo, pathOf, readDeploy, run, startProgram, temporaryFolder, UPSTREAMS } from './deploy-files.ts';
import { afterwards } from './harness.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** The proxies before several processes, with real requests. */

type Seen = { method: string; url: string; headers: Record<string, unknown> };
/** A server in place of a process of the service. `does`: how it handles a request. */
type Upstream = { port: number; seen: Seen[]; does: 'answer' | 'cut' | 'stop'; close(): Promise<void> };

async function startUpstream(t: TestContext): Promise<Upstream> {
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    if (url === '/readyz') return void response.writeHead(upstream.does === 'stop' ? 503 : 200).end();
    upstream.seen.push({ method: method!, url: url!, headers });
    // A stream of changes, of which there has been one.
    if (url === '/operator/stream') return void response.write('changed\n');
    request.resume().on('end', () => {
      if (upstream.does === 'cut') response.destroy();
      else response.end('answered');
    });
  }).listen(0, '127.0.0.1');
  // As the service does, longer than the proxies keep them.
  server.keepAliveTimeout = TIMEOUTS.keepAlive;
  await new Promise((resolve) => server.once('listening', resolve));
  const upstream: Upstream = {
    port: (server.address() as AddressInfo).port,
    seen: [],
    does: 'answer',
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  afterwards(t, upstream.close);
  return upstream;
}

/** The status of a response, and 000 when there is none. */
async function statusOf(url: string, ...options: string[]): Promise<string> {
  const quiet = ['-s', '-o', '/dev/null', '-w', '%{http_code}'];
  const { stdout } = await run('curl', [...quiet, ...options, url]).catch((error) => error);
  return stdout;
}

/**
 * Two processes of the service behind a proxy: both are used, one gets requests that the other cannot accept, and a
 * request that may have been processed is not repeated.
 */
async function assertBalances([one, other]: [Upstream, Upstream], send: (method: string) => Promise<string>) {
  const methods = (upstream: Upstream) => upstream.seen.splice(0).map(({ method }) => method);
  const times = (count: number, method: string) => Array.from({ length: count }, () => send(method));
  // In turn, once neither is taken out: on a busy machine a probe may have had no answer in time.
  await until(async () => {
    methods(one);
    methods(other);
    assert.deepEqual(new Set(await Promise.all(times(8, 'GET'))), new Set(['200']));
    return methods(one).length === 4 && methods(other).length === 4;
  });

  one.does = other.does = 'cut';
  assert.notEqual(await send('POST'), '200');
  assert.equal([...methods(one), ...methods(other)].length, 1, 'what may have been done is not sent again');
  one.does = other.does = 'answer';
  await until(async () => (await send('GET')) === '200');

  await one.close();
  methods(other);
  assert.deepEqual(new Set(await Promise.all([...times(8, 'GET'), ...times(8, 'POST')])), new Set(['200']));
  assert.equal(methods(other).length, 16, 'all of it to the one that is left');
}

const OPERATOR_UPSTREAMS = ['127.0.0.1:3001', '127.0.0.1:3011'] as const;

/** The configuration with other addresses in the place of those of the units. */
const withUpstreams = (text: string, upstreams: readonly Upstream[]): string =>
  [...UPSTREAMS, ...OPERATOR_UPSTREAMS].reduce((all, address, index) => {
    assert.equal(all.split(address).length, 2, address);
    return all.replace(address, `127.0.0.1:${upstreams[index % 2]!.port}`);
  }, text);

/** The first line of the stream of changes, which the proxy must not keep back. */
async function firstOfStream(t: TestContext, url: string, ...options: string[]): Promise<string> {
  const curl = execFile('curl', ['-sN', ...options, url]);
  afterwards(t, () => void curl.kill());
  const [line] = (await once(curl.stdout!, 'data')) as [string];
  return line;
}

test('nginx terminates TLS, hides internal paths, and balances', {
  skip: hasNo('nginx') || hasNo('openssl'),
}, async (t) => {
  const folder = temporaryFolder(t);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const files = ['-keyout', 'privkey.pem', '-out', 'fullchain.pem', '-subj', '/CN=bookings.example.sa'];
  await run('openssl', ['req', '-x509', ...key, ...files], { cwd: folder });

  const upstreams: [Upstream, Upstream] = [await startUpstream(t), await startUpstream(t)];
  const [http, https] = [await freePort(), await freePort()];
  const site = withUpstreams(readDeploy('nginx/partner-booking.conf'), upstreams)
    .replaceAll('/etc/ssl/partner-booking', folder)
    .replace(/^ *listen \[::\].*$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${https} `);
  mkdirSync(join(folder, 'tmp'));
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {} http { ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/tmp/${kind};`)
      .join(' ')} include ${folder}/site.conf; }`,
  );
  const options = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')];
  await run('nginx', ['-t', ...options]);
  startProgram(t, 'nginx', options, folder);

  const host = `bookings.example.sa:${https}`;
  const ask = (path: string, ...more: string[]): Promise<string> =>
    statusOf(`https://${host}${path}`, '--resolve', `${host}:127.0.0.1`, '--insecure', ...more);
  const path = '/v1/partners/services?limit=2';
  await until(async () => (await ask(path)) === '200');
  const seen = () => upstreams.flatMap((upstream) => upstream.seen.splice(0));
  seen();
  assert.equal(await ask(path, '-H', 'X-Forwarded-For: 6.6.6.6'), '200');
  const [{ url, headers }] = seen() as [Seen];
  assert.equal(url, path);
  assert.deepEqual(
    [headers['x-forwarded-for'], headers['x-forwarded-proto'], headers.connection],
    ['127.0.0.1', 'https', undefined],
    'what the client claims is replaced',
  );
  for (const inside of [
    '/operator',
    '/operator/partners',
    '/metrics',
    '/livez',
    '/readyz',
    '//operator/partners',
  ])
    assert.equal(await ask(inside), '404', inside);
  assert.deepEqual(seen(), [], 'nothing of these reached the service');
  assert.equal(await ask('/docs'), '200');
  const weak = ['--tls-max', '1.2', '--ciphers'];
  assert.equal(await ask('/docs', ...weak, 'ECDHE-ECDSA-AES128-GCM-SHA256'), '200');
  assert.equal(await ask('/docs', ...weak, 'ECDHE-ECDSA-AES128-SHA256'), '000', 'no CBC');
  assert.equal(await ask('/docs', '--tls-max', '1.1', '--ciphers', 'DEFAULT@SECLEVEL=0'), '000');

  const console = `console.example.sa:${https}`;
  const to = ['--resolve', `${console}:127.0.0.1`, '--insecure'];
  assert.equal(await statusOf(`https://${console}/console`, ...to), '200');
  seen();
  assert.equal(await firstOfStream(t, `https://${console}/operator/stream`, ...to), 'changed\n');
  assert.equal(seen()[0]!.headers['x-forwarded-proto'], 'https');
  for (const inside of ['/metrics', '/livez', '/readyz'])
    assert.equal(await statusOf(`https://${console}${inside}`, ...to), '404', inside);
  await assertBalances(upstreams, (method) => ask(path, '-X', method));
});

test('caddy accepts its file, and balances between ready processes', {
  skip: hasNo('caddy'),
}, async (t) => {
  const folder = temporaryFolder(t);
  const env = { ...process.env, HOME: folder };
  const options = (file: string) => ['--config', file, '--adapter', 'caddyfile'];
  const { stderr, stdout } = await run('caddy', ['validate', ...options(pathOf('caddy/Caddyfile'))], { env });
  assert.match(stdout + stderr, /Valid configuration/);

  const upstreams: [Upstream, Upstream] = [await startUpstream(t), await startUpstream(t)];
  const port = await freePort();
  // Without a certificate, which it would request from the internet.
  const consolePort = await freePort();
  const site = withUpstreams(readDeploy('caddy/Caddyfile'), upstreams)
    .replace(/^bookings\.example\.sa \{$/m, `http://127.0.0.1:${port} {`)
    .replace(/^console\.example\.sa \{$/m, `http://127.0.0.1:${consolePort} {`);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
  startProgram(t, 'caddy', ['run', ...options(file)], folder);
  const ask = (path: string, ...more: string[]): Promise<string> =>
    statusOf(`http://127.0.0.1:${port}${path}`, ...more);
  await until(async () => (await ask('/docs')) === '200');
  for (const inside of ['/operator', '/operator/partners', '/metrics', '/livez', '/readyz'])
    assert.equal(await ask(inside), '404', inside);

  const console = `http://127.0.0.1:${consolePort}`;
  await until(async () => (await statusOf(`${console}/console`)) === '200');
  assert.equal(await firstOfStream(t, `${console}/operator/stream`), 'changed\n');
  for (const inside of ['/metrics', '/livez', '/readyz'])
    assert.equal(await statusOf(console + inside), '404', inside);

  const [one, other] = upstreams;
  one.does = 'stop';
  await until(async () => {
    one.seen.length = 0;
    await Promise.all(Array.from({ length: 4 }, () => ask('/docs')));
    return one.seen.length === 0;
  });
  one.does = 'answer';
  await until(async () => {
    await ask('/docs');
    return one.seen.length > 0;
  });
  assert.ok(other.seen.length > 0);
  await assertBalances(upstreams, (method) => ask('/v1/partners/bookings', '-X', method));
});
