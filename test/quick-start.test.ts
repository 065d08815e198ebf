import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startChildService } from './child-service.ts';
import { call } from './harness.ts';
import { until } from './until.ts';

const readGuide = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
const guide = readGuide('quick-start.md');

/** The base address that the guide is written for: the only thing in it that a test has to replace. */
const GUIDE_BASE = 'http://127.0.0.1:3000/v1/partners';
/** Between the outputs of two blocks. */
const SEPARATOR = '=== next block ===';

type Block = { language: string; text: string };

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

/** Names and types of a value, and of the first element of a list: the promise of an example. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** Types the blocks into one bash, as a reader does, and returns the output of each. */
async function runBlocks(blocks: readonly Block[], cwd: string): Promise<string[]> {
  const script = blocks.map(({ text }) => `${text}echo; echo '${SEPARATOR}'\n`).join('');
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, TZ: 'America/Los_Angeles' };
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd, env });
  assert.equal(stderr, '');
  return stdout
    .split(SEPARATOR)
    .slice(0, -1)
    .map((part) => part.trim());
}

test('the quick start, command by command', async (t) => {
  const service = await startChildService(t, { SEED: 'demo' });
  const base = `${service.baseUrl}/partners`;
  const all = blocksOf(guide);
  const [start, ...steps] = all.filter(({ language }) => language === 'sh');
  assert.equal(start!.text, 'npm start\n');
  assert.equal(guide.split(GUIDE_BASE).length, 2, 'the base address stands in one place');
  const outputs = await runBlocks(
    steps.map(({ language, text }) => ({ language, text: text.replace(GUIDE_BASE, base) })),
    service.folder,
  );
  assert.equal(outputs.length, steps.length);

  await t.test('the responses match the guide', () => {
    let shown = 0;
    for (const [index, block] of all.entries()) {
      if (block.language !== 'json') continue;
      const asked = all.slice(0, index).findLast(({ language }) => language === 'sh')!;
      const answered = JSON.parse(outputs[steps.indexOf(asked)]!);
      assert.deepEqual(shapeOf(answered), shapeOf(JSON.parse(block.text)), asked.text);
      shown++;
    }
    assert.equal(shown, 4);
  });

  const [, , , contact, services, , booked, paid, status, cancelled] = outputs.map((output) =>
    output === '' ? null : JSON.parse(output),
  );
  assert.equal(contact.data.isNewContact, true);
  assert.deepEqual(services.data[0].services[0].name, 'Home cleaning, 2 hours');
  assert.deepEqual([booked.data.status, booked.data.paymentStatus], ['in progress', 'PENDING']);
  assert.deepEqual([paid.data.status, paid.data.paymentStatus], ['in progress', 'PAID']);
  assert.deepEqual(status, paid);
  assert.deepEqual([cancelled.data.status, cancelled.data.paymentStatus], ['canceled', 'CANCELLED']);

  const path = `/bookings?externalReference=${booked.data.externalReference}`;
  const list = await call(base, 'GET', path, undefined, { 'x-api-key': service.keys.partner });
  assert.deepEqual(list.body.data, [cancelled.data]);

  await t.test('it can be repeated', async () => {
    // The reference contains the seconds.
    const second = (): number => Math.floor(Date.now() / 1000);
    const before = second();
    await until(() => second() > before);
    const again = await runBlocks(
      steps.map(({ language, text }) => ({ language, text: text.replace(GUIDE_BASE, base) })),
      service.folder,
    );
    assert.equal(JSON.parse(again[3]!).data.isNewContact, false);
    assert.equal(JSON.parse(again[6]!).data.status, 'in progress');
  });
});

test('the quick start in Arabic has the same commands and responses, which the test above runs', () => {
  const arabic = readGuide('quick-start.ar.md');
  assert.deepEqual(blocksOf(arabic), blocksOf(guide));
  const steps = (page: string) => page.match(/^## \d+\./gm);
  assert.deepEqual(steps(arabic), steps(guide));
});

test('an example of another shape is found', () => {
  const answer = { data: [{ id: 'a', price: 89 }], meta: { total: 1 } };
  assert.deepEqual(
    shapeOf(answer),
    shapeOf({ data: [{ id: 'b', price: 1 }, { id: 'c' }], meta: { total: 0 } }),
  );
  for (const example of [
    { data: [{ id: 'a', price: '89' }], meta: { total: 1 } },
    { data: [{ id: 'a' }], meta: { total: 1 } },
    { data: [], meta: { total: 1 } },
    { data: [{ id: 'a', price: 89 }], meta: null },
  ])
    assert.notDeepEqual(shapeOf(answer), shapeOf(example));
});

test('the bookings of the README, pasted twice', async (t) => {
  const service = await startChildService(t);
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const blocks = blocksOf(readme)
    .filter(({ text }) => text.includes('$BASE'))
    .map((block) => ({ ...block, text: block.text.replace(GUIDE_BASE, `${service.baseUrl}/partners`) }));
  assert.equal(blocks.length, 2);
  const outputs = await runBlocks([...blocks, ...blocks], service.folder);
  assert.equal(outputs.length, 4);
  for (const output of outputs) {
    assert.match(output, /"success":true/);
    assert.doesNotMatch(output, /"success":false|undefined/);
  }
});
