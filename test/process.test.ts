import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.ts';
import { prepareDataDir } from './data-dirs.ts';
import { call, onPostgres } from './harness.ts';
import { freePort } from './ports.ts';
import { runToEnd } from './terminal.ts';
import { until } from './until.ts';

/** Starts of the real program, as `npm start` makes them, on the embedded database. */
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

type Run = {
  child: ChildProcess;
  output(): string;
  /** The part of it that came on the standard error output. */
  errors(): string;
  exited: Promise<number | null>;
  url: string;
};

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-process-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A data folder that a start need not make: a tenth of the cost. */
async function preparedDataDir(t: TestContext): Promise<string> {
  const folder = join(temporaryFolder(t), 'data');
  await prepareDataDir(folder, 'migrated');
  return folder;
}

/** Runs main.ts until it is ready or has ended. */
async function start(t: TestContext, env: Record<string, string>, nodeOptions: string[] = []): Promise<Run> {
  // Better code for WebAssembly costs more than such a short life gets back.
  const child = spawn(process.execPath, ['--liftoff-only', ...nodeOptions, MAIN], {
    env: { PATH: process.env.PATH ?? '', ...compiled, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  // Not "exit": earlier output may be read after it.
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const lastLine = env.SEED === 'none' ? /operator +http/ : /demo key PLATFORM|"msg":"ready"/;
  const ready = new Promise<void>((resolve) => {
    const read = (chunk: Buffer): void => {
      output += chunk;
      if (lastLine.test(output)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk;
      read(chunk);
    });
  });
  await Promise.race([ready, exited]);
  const url = /base URL +(\S+)/.exec(output)?.[1] ?? '';
  return { child, output: () => output, errors: () => errors, exited, url };
}

/** A demo that books no days of its own: two thirds of the cost. */
const SEED = 'demo-setup';

const demoKey = (run: Run, mode: 'PARTNER' | 'PLATFORM'): string =>
  new RegExp(`demo key ${mode} +(pbs_test_\\w+)`).exec(run.output())?.[1] ?? '';

test('credentials are written atomically: an interrupted start leaves the previous ones', async (t) => {
  const DATA_DIR = temporaryFolder(t);
  const file = join(DATA_DIR, 'credentials.json');
  const before = JSON.stringify({ operatorToken: `pbs_operator_${'x'.repeat(43)}` });
  writeFileSync(file, before);
  // A hard link to the file: writing into it would be visible here.
  linkSync(file, join(DATA_DIR, 'linked'));
  const run = await start(t, { DATA_DIR, SEED });
  assert.ok(demoKey(run, 'PARTNER'), run.output());
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).demoKeys.partner, demoKey(run, 'PARTNER'));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(join(DATA_DIR, 'linked'), 'utf8'), before);
});

test('first start: everything a newcomer needs; second start: the same', async (t) => {
  const DATA_DIR = join(temporaryFolder(t), 'data');
  const first = await start(t, { DATA_DIR });
  assert.ok(demoKey(first, 'PARTNER'), first.output());
  assert.ok(demoKey(first, 'PLATFORM'), first.output());
  const operatorToken = /operator token +(\S+)/.exec(first.output())?.[1] ?? '';
  const operator = (run: Run) =>
    call(run.url.replace('/v1', '/operator'), 'GET', '/partners', undefined, {
      authorization: `Bearer ${operatorToken}`,
    });
  assert.equal((await operator(first)).body.meta.total, 2);
  assert.equal(statSync(DATA_DIR).mode & 0o777, 0o700);
  assert.equal(statSync(join(DATA_DIR, 'credentials.json')).mode & 0o777, 0o600);

  await t.test('the printed curl line books', () => {
    const line = /^ *(curl .*)$/m.exec(first.output())?.[1];
    assert.ok(line, first.output());
    const answer = JSON.parse(
      execFileSync('sh', ['-c', line], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    assert.equal(answer.success, true, JSON.stringify(answer));
    assert.equal(answer.data.appointment.status, 'Scheduled');
  });

  await t.test('the data folder is in use: one line, exit code 1', async () => {
    const second = await start(t, { DATA_DIR });
    assert.equal(await second.exited, 1);
    assert.match(second.output(), /^the data folder \S+ is in use by another process: [^\n]+\n$/);
  });

  first.child.kill('SIGTERM');
  assert.equal(await first.exited, 0);
  const again = await start(t, { DATA_DIR });
  assert.equal(demoKey(again, 'PARTNER'), demoKey(first, 'PARTNER'));
  assert.equal((await operator(again)).status, 200, 'the operator token is the same');
});

test('an invalid configuration stops the start with one line', async (t) => {
  const DATA_DIR = await preparedDataDir(t);
  await t.test('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    t.after(() => taken.close());
    const { port } = taken.address() as { port: number };
    const run = await start(t, { DATA_DIR, SEED: 'none', PORT: String(port) });
    assert.equal(await run.exited, 1);
    assert.match(run.output(), new RegExp(`^port ${port} is in use: [^\\n]+\\n$`));
  });
  await t.test('an unknown HOST', async () => {
    const HOST = 'nosuchhost.invalid';
    const run = await start(t, { DATA_DIR, SEED: 'none', HOST });
    assert.equal(await run.exited, 1);
    assert.match(run.output(), /^HOST is no address that can be listened on: getaddrinfo [^\n]+\n$/);
    const doctor = await runToEnd(['doctor'], { DATA_DIR, HOST });
    assert.equal(doctor.code, 1);
    assert.match(
      doctor.stdout,
      /^WRONG +listener +HOST is no address that can be listened on: getaddrinfo /m,
    );
  });
  await t.test('invalid variables, all named, before any change', async () => {
    const untouched = join(temporaryFolder(t), 'data');
    const run = await start(t, { DATA_DIR: untouched, PORT: 'http', ROLES: 'cook' });
    assert.equal(await run.exited, 1);
    assert.match(run.output(), /^configuration: PORT must be [^\n]+ROLES must be [^\n]+\n$/);
    assert.equal(existsSync(untouched), false);
  });
  for (const [what, below] of [
    ['a file', ''],
    ['below a file', '/data'],
  ] as const)
    await t.test(`a data folder that is ${what}`, async () => {
      const file = join(temporaryFolder(t), 'file');
      writeFileSync(file, 'not a folder');
      const run = await start(t, { DATA_DIR: file + below });
      assert.equal(await run.exited, 1);
      assert.match(run.output(), /^the data folder \S+ cannot be used \(it is a file\): [^\n]+\n$/);
    });
  await t.test('a data folder that cannot be created', async () => {
    // Below /proc `mkdir -p` of Node never returns.
    const run = await start(t, { DATA_DIR: '/proc/partner-booking' });
    assert.equal(await run.exited, 1);
    assert.match(run.output(), /^the data folder \S+ cannot be used \([^\n]+\): set DATA_DIR [^\n]+\n$/);
  });
  await t.test('a data folder whose database cannot be written', async () => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'postgres'), 'not a folder');
    const run = await start(t, { DATA_DIR: folder });
    assert.equal(await run.exited, 1);
    assert.match(
      run.output(),
      /^the data folder \S+ cannot be used \(error 54 [^\n]+\): set DATA_DIR [^\n]+\n$/,
    );
  });
  for (const lost of ['global/pg_control', 'pg_wal'])
    await t.test(`a data folder whose database has lost ${lost}`, async () => {
      const folder = await preparedDataDir(t);
      rmSync(join(folder, 'postgres', lost), { recursive: true });
      const run = await start(t, { DATA_DIR: folder });
      assert.equal(await run.exited, 1);
      assert.match(
        run.output(),
        /^the database in the data folder \S+ does not start \([^\n]+\): restore [^\n]+\n$/,
      );
    });
  await t.test('credentials that are not JSON', async () => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'credentials.json'), '{');
    const run = await start(t, { DATA_DIR: folder });
    assert.equal(await run.exited, 1);
    assert.match(run.output(), /^could not start: \S+credentials.json cannot be read [^\n]+\n$/);
    assert.deepEqual(readdirSync(folder), ['credentials.json'], 'no database was made for it');
  });
  await t.test('an unreachable database at DATABASE_URL', { skip: !onPostgres }, async () => {
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.pathname = '/a_database_that_nobody_made';
    const env = { DATABASE_URL: url.href, OPERATOR_TOKEN: 'x'.repeat(20), SECRETS_KEY: 'a'.repeat(64) };
    const run = await start(t, { ...env, DEPLOYMENT: 'sandbox' });
    assert.equal(await run.exited, 1);
    assert.match(run.errors(), /^the database at DATABASE_URL cannot be used: [^\n]+\n$/);
    const production = await start(t, { ...env, PUBLIC_URL: 'https://bookings.example.sa' });
    assert.equal(await production.exited, 1);
    // Why nothing starts is all there is on the standard error output, so no other line can come after it.
    assert.match(JSON.parse(production.errors()).msg, /^the database at DATABASE_URL cannot be used: /);
    for (const line of logOf(production)) assert.doesNotMatch(line.msg, /workers cannot be woken/);
  });
});

/** Registers a customer and returns a function that books the next free slot of the coming days. */
async function booker(run: Run) {
  const key = demoKey(run, 'PARTNER');
  const v1 = (method: string, path: string, body?: unknown) =>
    call(run.url, method, path, body, { 'x-api-key': key });
  const place = { latitude: '24.7136', longitude: '46.6753' };
  const contact = await v1('POST', '/partners/contacts', { phone: '+966501234567', name: 'Noura', ...place });
  const { id: contactId, addressId } = contact.body.data;
  const services = await v1('GET', `/partners/services?addressId=${addressId}&limit=100`);
  const serviceId = services.body.data[0].services[0].id;
  const slots: { date: string; timeslot: unknown }[] = [];
  for (let day = 2; day < 9; day++) {
    const date = new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10);
    const answer = await v1(
      'GET',
      `/partners/timeslots/available?addressId=${addressId}&serviceId=${serviceId}&date=${date}`,
    );
    for (const timeslot of answer.body.data.slots) slots.push({ date, timeslot });
  }
  assert.ok(slots.length > 20, 'the demo has free slots');
  let next = 0;
  return {
    v1,
    book: () =>
      v1('POST', '/partners/bookings', { contactId, addressId, serviceId, ...slots[next++ % slots.length] }),
  };
}

test('kill -9: no acknowledged booking is lost', async (t) => {
  const DATA_DIR = await preparedDataDir(t);
  const answered: string[] = [];
  for (let round = 0; round < 3; round++) {
    const run = await start(t, { DATA_DIR, SEED });
    const { book } = await booker(run);
    let alive = true;
    const booking = (async () => {
      while (alive) {
        const answer = await book().catch(() => null);
        if (answer?.status === 200) answered.push(answer.body.data.bookingId);
      }
    })();
    const wanted = answered.length + 5;
    while (answered.length < wanted) await new Promise((resolve) => setTimeout(resolve, 10 + round));
    run.child.kill('SIGKILL');
    await run.exited;
    alive = false;
    await booking;
  }
  assert.ok(answered.length >= 15, `${answered.length} bookings`);
  const run = await start(t, { DATA_DIR, SEED });
  const { v1 } = await booker(run);
  for (const bookingId of answered) {
    assert.equal((await v1('GET', `/partners/bookings/${bookingId}/status`)).status, 200, bookingId);
  }
});

test('an error that nothing had caught: one last line, and the process ends', async (t) => {
  const DATA_DIR = await preparedDataDir(t);
  for (const fault of [
    'throw new Error("nobody catches it")',
    'Promise.reject(new Error("nobody catches it"))',
  ]) {
    const preload = `process.on("SIGUSR2", () => { ${fault} })`;
    const run = await start(t, { DATA_DIR, SEED: 'none' }, [
      `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    ]);
    run.child.kill('SIGUSR2');
    assert.equal(await run.exited, 1);
    const last = JSON.parse(run.output().trimEnd().split('\n').at(-1)!);
    assert.equal(last.msg, 'an error that nothing expected: the process ends');
    assert.equal(last.level, 60);
    assert.equal(last.err.message, 'nobody catches it');
  }
});

/** A request that the server has started to read: it sent `100 Continue` and waits for the body. */
async function halfSent(url: URL, key: string, body: string) {
  const socket = connect(Number(url.port), url.hostname);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(
    `POST ${url.pathname}/partners/contacts HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
  );
  while (!received.includes('100 Continue')) await once(socket, 'data');
  return {
    async finish(): Promise<string> {
      socket.write(body);
      await once(socket, 'close');
      return received;
    },
  };
}

test('SIGTERM: every accepted request is answered, then the process ends', async (t) => {
  const run = await start(t, { DATA_DIR: await preparedDataDir(t), SEED });
  const { book } = await booker(run);
  const body = JSON.stringify({ phone: '+966501112222', name: 'In flight' });
  const requests = await Promise.all(
    Array.from({ length: 20 }, () => halfSent(new URL(run.url), demoKey(run, 'PARTNER'), body)),
  );
  run.child.kill('SIGTERM');
  // The port is closed.
  await until(() =>
    book().then(
      () => false,
      () => true,
    ),
  );
  for (const answer of await Promise.all(requests.map((request) => request.finish()))) {
    assert.match(answer, /HTTP\/1\.1 200 OK/);
    assert.match(answer, /connection: close/i);
    assert.match(answer, /"isNewContact":/);
  }
  assert.equal(await run.exited, 0);
});

test('SIGTERM ends a process when who reads its log has gone', async (t) => {
  const run = await start(t, { DATA_DIR: await preparedDataDir(t), SEED });
  run.child.stdout!.destroy();
  run.child.stderr!.destroy();
  const ended = once(run.child, 'exit');
  // Its last log lines have no reader.
  run.child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});

test('a full disk takes no log, and the service goes on', async (t) => {
  const DATA_DIR = await preparedDataDir(t);
  for (const isAll of [false, true]) {
    const full = openSync('/dev/full', 'w');
    const PORT = String(await freePort());
    const child = spawn(process.execPath, ['--liftoff-only', MAIN], {
      env: { PATH: process.env.PATH ?? '', ...compiled, PORT, DATA_DIR, SEED },
      stdio: ['ignore', full, isAll ? full : 'pipe'],
    });
    closeSync(full);
    t.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    let errors = '';
    child.stderr?.on('data', (chunk) => (errors += chunk));
    const status = async (path: string) =>
      (await fetch(`http://127.0.0.1:${PORT}${path}`).catch(() => null))?.status;
    await until(async () => child.exitCode !== null || (await status('/readyz')) === 200);
    if (!isAll) await until(() => child.exitCode !== null || errors.includes('the log cannot be written'));
    assert.equal(await status('/v1/partners/services'), 401);
    // A sandbox serves metrics beside the rest.
    await until(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text();
      return /^log_losses\{what="refused_writes"\} [1-9]/m.test(metrics);
    });
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    if (!isAll)
      assert.equal(errors.match(/ENOSPC: no space left/g)?.length, 2, 'said once: the message and the stack');
  }
});

test('SIGTERM ends a process whose log reader does not read', async (t) => {
  const pipe = join(temporaryFolder(t), 'log');
  execFileSync('mkfifo', [pipe]);
  const ours = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const theirs = openSync(pipe, constants.O_RDWR);
  const child = spawn(process.execPath, ['--liftoff-only', MAIN], {
    env: { PATH: process.env.PATH ?? '', ...compiled, PORT: '0', DATA_DIR: await preparedDataDir(t), SEED },
    stdio: ['ignore', theirs, theirs],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let output = '';
  await until(() => {
    const chunk = Buffer.alloc(65_536);
    output += chunk.toString('utf8', 0, nonBlocking(() => readSync(ours, chunk)) ?? 0);
    return output.includes('demo key PLATFORM');
  });
  while (nonBlocking(() => writeSync(ours, Buffer.alloc(4_096))) !== null);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  closeSync(ours);
  closeSync(theirs);
});

/** The result of non-blocking work on a pipe; null when it would block. */
function nonBlocking<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

/** The lines of a production, each of which must be JSON. */
function logOf(run: Run): { level: number; msg: string; [field: string]: unknown }[] {
  return run
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('a production prints JSON only, reports an unavailable Redis, and its stop', async (t) => {
  const run = await start(t, {
    DATA_DIR: await preparedDataDir(t),
    DEPLOYMENT: 'production',
    OPERATOR_TOKEN: 'x'.repeat(20),
    SECRETS_KEY: 'a'.repeat(64),
    PUBLIC_URL: 'https://bookings.example.sa',
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  while (!run.output().includes('Redis')) await once(run.child.stdout!, 'data');
  run.child.kill('SIGTERM');
  assert.equal(await run.exited, 0);
  const lines = logOf(run);
  const ready = lines.find(({ msg }) => msg === 'ready');
  assert.deepEqual(ready?.roles, ['api', 'worker']);
  assert.match(String(ready?.url), /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.ok(lines.some(({ level, msg }) => level === 40 && msg.startsWith('Redis does not answer')));
  assert.ok(lines.some(({ signal, msg }) => signal === 'SIGTERM' && msg.startsWith('stopping')));
  assert.equal(lines.at(-1)?.msg, 'stopped');
  assert.doesNotMatch(run.output(), /x{20}/, 'the operator token');
});
