import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { buildDownloads, buildSdks, checksumsOf, PAGES, withChecksums } from '../scripts/build-downloads.ts';
import { newestOf, readReleased, versionFault, versionOf, withVersion } from '../scripts/release-sdk.ts';
import { FILES, GUIDES } from '../src/developer-docs/guides.ts';
import { type ChildService, startChildService } from './child-service.ts';
import { afterwards, call, startTestService } from './harness.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** A developer with a key and the pages of a running service, without the repository. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** The machine's own Node, as partners have one; that of the tests when there is none. */
const NODE =
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((path) => spawnSync(path, ['--version']).status === 0) ?? process.execPath;
const NPM = spawnSync('npm', ['--version']).status === 0;
const PYTHON = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

type Stranger = {
  service: ChildService;
  /** The address of the service, as the pages show it. */
  address: string;
  folder: string;
  /** Types the commands into a shell of an empty folder; returns their output. */
  types(script: string, env?: Record<string, string>): Promise<string>;
  /** The blocks of code on a page, as Markdown. */
  blocksOf(page: string, language: string): Promise<string[]>;
};

/** One service for all of them. */
type Sandbox = Pick<Stranger, 'service' | 'address'>;

async function startSandbox(t: TestContext): Promise<Sandbox> {
  const address = `http://127.0.0.1:${await freePort()}`;
  return { service: await startChildService(t, { PORT: new URL(address).port, SEED: 'demo' }), address };
}

function arrive(t: TestContext, { service, address }: Sandbox): Stranger {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-stranger-'));
  afterwards(t, () => rmSync(folder, { recursive: true, force: true }));
  const env = {
    PATH: `${dirname(NODE)}:${process.env.PATH}`,
    HOME: folder,
    // Requests to other hosts fail.
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
    PIP_NO_INDEX: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
  };
  const types = async (script: string, more: Record<string, string> = {}): Promise<string> => {
    const { stdout } = await run('bash', ['--norc', '-ec', script], {
      cwd: folder,
      env: { ...env, ...more },
    });
    return stdout;
  };
  const blocksOf = async (page: string, language: string): Promise<string[]> => {
    const response = await fetch(`${address}/docs/${page}.md`);
    assert.equal(response.status, 200, page);
    const text = await response.text();
    return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, info, block]) =>
      info === language ? [block!] : [],
    );
  };
  return { service, address, folder, types, blocksOf };
}

/** The block that has the text. */
function having(blocks: readonly string[], text: string): string {
  const found = blocks.find((block) => block.includes(text));
  assert.ok(found, `no block has ${text}`);
  return found;
}

test('the installation steps of the pages work in an empty folder', async (t) => {
  const sandbox = await startSandbox(t);

  await t.test(
    'the TypeScript SDK is installed from its address and books',
    {
      skip: !NPM && 'npm is not installed',
    },
    async (t) => {
      const { service, folder, types, blocksOf } = arrive(t, sandbox);
      const command = having(await blocksOf('sdk', 'sh'), 'npm install');
      assert.equal(having(await blocksOf('downloads', 'sh'), 'npm install http'), command);
      await types(command);
      const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      assert.match(dependencies['partner-booking-sdk'], /^http:.*\.tgz$/, 'npm keeps the address');
      writeFileSync(
        join(folder, 'tiers.mjs'),
        `import { createClient } from 'partner-booking-sdk';
       const client = createClient({ apiKey: process.env.KEY, baseUrl: process.env.URL });
       console.log((await client.pricing.listTiers()).length);`,
      );
      const env = { KEY: service.keys.partner, URL: service.baseUrl };
      assert.ok(Number(await types('node tiers.mjs', env)) > 0);
      assert.equal(
        (await types(`node -p 'typeof require("partner-booking-sdk").verifyWebhook'`)).trim(),
        'function',
      );
    },
  );

  await t.test(
    'the Python SDK is installed from its address and verifies',
    {
      skip: !PYTHON && 'python3 with pip is not installed',
    },
    async (t) => {
      const { types, blocksOf } = arrive(t, sandbox);
      const command = having(await blocksOf('sdk-python', 'sh'), 'pip install');
      assert.equal(having(await blocksOf('downloads', 'sh'), 'pip install http'), command);
      // Its only dependency is not the service's to give.
      await types(command.replace('pip install', 'python3 -m pip install --quiet --no-deps --target lib'));
      await types("sed -n '/^Requires-Dist: httpx/p' lib/*.dist-info/METADATA | grep -q .");
      const program = `
import sys, types
sys.path.insert(0, "lib")
class Httpx(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})
try:
    import httpx
except ImportError:
    sys.modules["httpx"] = Httpx("httpx")
from partner_booking import sign_webhook, verify_webhook
event = {"event": "webhook.test", "deliveryId": "d", "payload": {"message": "m"}}
secret = "whsec_" + "a" * 43
headers, body = sign_webhook(secret=secret, event=event)
print(verify_webhook(secret=secret, headers=headers, body=body)["event"])
`;
      assert.equal(await types(`python3 -c '${program}'`), 'webhook.test\n');
    },
  );

  await t.test(
    'the first release is installed by the lock files of its time',
    {
      skip: !(NPM && PYTHON) && 'npm, or python3 with pip, is not installed',
    },
    async (t) => {
      const { address, folder, types } = arrive(t, sandbox);
      for (const [name, sha256] of Object.entries(readReleased()).slice(0, 2)) {
        const url = `${address}/docs/downloads/${name}`;
        if (name.endsWith('.whl')) {
          writeFileSync(
            join(folder, 'requirements.txt'),
            `partner-booking-sdk @ ${url} --hash=sha256:${sha256}\n`,
          );
          await types(
            'python3 -m pip install -q --no-deps --require-hashes --target "$(mktemp -d -p .)" -r requirements.txt',
          );
          continue;
        }
        const dependencies = { 'partner-booking-sdk': url };
        const integrity = `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`;
        const locked = { version: versionOf(name), resolved: url, integrity };
        const packages = { '': { dependencies }, 'node_modules/partner-booking-sdk': locked };
        writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));
        writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
        await types('npm ci');
        const found = await types(`node -p 'require("partner-booking-sdk/package.json").version'`);
        assert.equal(found.trim(), versionOf(name));
      }
    },
  );

  await t.test('listen is one file: it forwards to the receiver of the page, which verifies', async (t) => {
    const { service, address, folder, types, blocksOf } = arrive(t, sandbox);
    const receiver = having(await blocksOf('webhooks', 'ts'), 'createServer');
    writeFileSync(join(folder, 'receiver.mts'), receiver);
    await types(`curl -sSfO ${address}/docs/snippets/verify.ts`);
    const commands = having(await blocksOf('webhooks', 'sh'), 'node listen.mjs').split('\n');
    await types(commands.find((line) => line.startsWith('curl'))!);

    const secret = `whsec_${'k7Qz'.repeat(10)}k7Q`;
    const port = await freePort();
    const start = (program: string, args: string[], env: Record<string, string>) => {
      const child = spawn(program, args, {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      afterwards(t, () => child.kill('SIGKILL'));
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      return () => output;
    };
    // The page requires a newer Node for this than for listen.
    const received = start(process.execPath, ['receiver.mts'], {
      WEBHOOK_SECRET: secret,
      PORT: String(port),
    });
    const forward = `http://127.0.0.1:${port}/hooks`;
    await until(async () => (await fetch(forward).catch(() => null)) !== null, received);
    const line = commands.find((each) => each.startsWith('node listen.mjs'))!;
    const args = line.replace(/http:\/\/localhost:4000\/hooks/, forward).split(' ');
    const listening = start(NODE, [...args.slice(1), '--secret', secret, '--since', 'beginning'], {
      PARTNER_BOOKING_KEY: service.keys.partner,
    });
    await until(
      () => /-> 204/.test(listening()),
      () => listening() + received(),
    );
    assert.match(received(), /^booking\.created /m);
  });

  await t.test('the quick start works with a key alone', async (t) => {
    const { service, types, blocksOf } = arrive(t, sandbox);
    const local = /npm start|\.data\/credentials/;
    const steps = (await blocksOf('quick-start', 'sh')).filter((block) => !local.test(block));
    assert.equal(steps.length, 9);
    const script = steps.join('').replace('KEY=pbs_test_...', `KEY=${service.keys.partner}`);
    const output = await types(script);
    assert.match(output, /"status":"canceled"/);
    assert.doesNotMatch(output, /"success":false/);
  });

  await t.test(
    'the example application starts from its download',
    {
      skip: !NPM && 'npm is not installed',
    },
    async (t) => {
      const { service, folder, types, blocksOf } = arrive(t, sandbox);
      const block = having(await blocksOf('partner-app', 'sh'), 'partner-app.tgz');
      const lines = block.trim().split('\n');
      await types(lines.slice(0, 3).join('\n'));
      const [setting, program, file] = lines.at(-1)!.split(' ');
      assert.equal(program, 'node');
      const child = spawn(NODE, [file!], {
        cwd: folder,
        env: {
          PATH: process.env.PATH ?? '',
          PARTNER_BOOKING_KEY: service.keys.partner,
          PARTNER_BOOKING_URL: setting!.slice('PARTNER_BOOKING_URL='.length),
          PORT: '0',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      afterwards(t, () => child.kill('SIGKILL'));
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      const url = await until(
        () => /shop on (\S+)/.exec(output)?.[1],
        () => output,
      );
      const customer = { name: 'Noura', phone: '+966501234567', latitude: '24.7136', longitude: '46.6753' };
      const answer = await call(url, 'POST', '/api/customers', customer);
      assert.equal(answer.status, 200, answer.text);
    },
  );
});

// ---------------------------------------------------------------------------
// The files

test('downloads are saved under their names, unchanged, with the checksum of the page', async (t) => {
  const { url } = await startTestService(t, { env: { PUBLIC_URL: 'https://partners.example.sa' } });
  const page = await (await fetch(`${url}/docs/downloads`)).text();
  assert.match(page, /https:\/\/partners\.example\.sa\/docs\/downloads\/listen\.mjs/);
  assert.doesNotMatch(page, /booking\.example/);
  for (const { name, saved } of FILES) {
    const response = await fetch(`${url}/docs/${name}`, { headers: { 'accept-encoding': 'br, gzip' } });
    const body = Buffer.from(await response.arrayBuffer());
    const file = name.split('/').at(-1)!;
    assert.equal(
      response.headers.get('content-disposition'),
      saved ? `attachment; filename="${file}"` : null,
      name,
    );
    assert.ok(page.includes(`href="/docs/${name}"`), name);
    if (/\.(?:tgz|whl)$/.test(name)) assert.equal(response.headers.get('content-encoding'), null, name);
    const isMade = name.startsWith('downloads/') && !name.endsWith('.json');
    const digest = createHash('sha256').update(body).digest('hex');
    assert.equal(page.includes(`${digest}  ${file}`), isMade, name);
  }
});

test('the committed downloads and checksums match the sources', () => {
  const built = buildDownloads();
  assert.deepEqual(readdirSync(join(ROOT, 'docs/downloads')).sort(), [...built.keys()].sort());
  for (const [name, body] of built) {
    const same = body.equals(readFileSync(join(ROOT, 'docs/downloads', name)));
    assert.ok(same, `${name}: write it anew, npm run generate`);
  }
  const checksums = { ...readReleased(), ...checksumsOf(built) };
  for (const name of PAGES) {
    const page = readFileSync(join(ROOT, name), 'utf8');
    assert.equal(withChecksums(page, checksums), page, `${name}: write it anew, npm run generate`);
    assert.notEqual(withChecksums(page, { x: '0'.repeat(64) }), page);
  }
});

test('a released file of an SDK never changes, and what the sources build has its own version', () => {
  const released = readReleased();
  const files = readdirSync(join(ROOT, 'sdk/released'));
  const bodies = new Map(files.map((name) => [name, readFileSync(join(ROOT, 'sdk/released', name))]));
  assert.deepEqual(checksumsOf(bodies), Object.fromEntries(Object.entries(released).sort()));
  const { '0.1.0': first } = Object.groupBy(Object.keys(released), versionOf);
  assert.deepEqual(
    first!.map((name) => released[name]!.slice(0, 8)),
    ['83ecf168', '226f25e1'],
    'the first release',
  );

  const built = checksumsOf(buildSdks());
  assert.equal(versionFault(built, released), null);

  const page = readFileSync(join(ROOT, PAGES[0]!), 'utf8');
  const newest = newestOf(released);
  for (const name of PAGES) {
    const text = readFileSync(join(ROOT, name), 'utf8');
    assert.equal(withVersion(text, newest), text, `${name} has the addresses of ${newest}`);
    for (const file of [...Object.keys(released), ...Object.keys(built)])
      assert.match(text, new RegExp(`^\\| ${versionOf(file)} \\|`, 'm'), `${name}: changes of ${file}`);
  }
  assert.match(withVersion(page, '9.0.0'), /npm install https:\/\/\S+-9\.0\.0\.tgz$/m);
});

test('other content needs another version, and a version comes after those that are released', () => {
  const released = { 'sdk-0.9.0.tgz': 'a', 'sdk-0.10.0.tgz': 'b' };
  assert.equal(versionFault({ 'sdk-0.10.0.tgz': 'b' }, released), null);
  assert.equal(versionFault({ 'sdk-0.11.0.tgz': 'c' }, released), null);
  assert.match(versionFault({ 'sdk-0.10.0.tgz': 'c' }, released)!, /other content/);
  assert.match(versionFault({ 'sdk-0.9.1.tgz': 'c' }, released)!, /not after the released 0\.10\.0/);
});

// ---------------------------------------------------------------------------
// Names that somebody else could register

/** Commands that request one of our names from a public registry. */
const BARE_NAMES =
  /npx\s+(?:-\S+\s+)*partner-booking|(?:npm|pnpm|bun)\s+(?:install|i|add|exec)\s+(?:-\S+\s+)*partner-booking|yarn\s+add\s+partner-booking|pipx?3?\s+install\s+(?:-\S+\s+)*partner[-_]booking/;

test('no page, file or package refers to a registry for our packages', async (t) => {
  const { url } = await startTestService(t);
  const paths = [
    '/llms.txt',
    '/docs',
    '/openapi.json',
    ...GUIDES.flatMap(({ name }) => [`/docs/${name}`, `/docs/${name}.md`]),
    ...FILES.map(({ name }) => `/docs/${name}`),
  ];
  for (const path of paths) {
    const body = Buffer.from(await (await fetch(url + path)).arrayBuffer());
    const text = (path.endsWith('.tgz') ? gunzipSync(body) : body).toString().replaceAll(/<[^>]*>/g, '');
    assert.doesNotMatch(text, BARE_NAMES, path);
    // Without tags, names stand as they are read.
    assert.ok(text.length > 0, path);
  }
  // Sources of printed texts, and of the packages.
  for (const folder of ['console', 'src', 'sdk/src', 'sdk-python/src', 'examples'])
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /node_modules|\.pyc$/.test(join(entry.parentPath, entry.name))) continue;
      const path = join(entry.parentPath, entry.name);
      assert.doesNotMatch(readFileSync(path, 'utf8'), BARE_NAMES, path);
    }
  for (const told of [
    'npx partner-booking listen',
    'npx -y partner-booking',
    'npm install partner-booking-sdk',
    'pip install partner_booking_sdk-0.1.0-py3-none-any.whl',
    'yarn add partner-booking-sdk',
  ])
    assert.match(told, BARE_NAMES);
  assert.doesNotMatch(
    'npm install https://booking.example/docs/downloads/partner-booking-sdk-0.1.0.tgz',
    BARE_NAMES,
  );
});
