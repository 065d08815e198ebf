import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { setupSchema } from '../scripts/print-setup-schema.ts';
import { openTestDatabase } from './harness.ts';
import { apply, company, example, exportedDocument } from './setup-fixtures.ts';

/** The schema of set-up files that editors use. */

const page = new URL('../docs/setup.schema.json', import.meta.url);

const compile = () =>
  new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false, allErrors: true }).compile(
    JSON.parse(setupSchema()),
  );

test('docs/setup.schema.json is current', () => {
  assert.equal(readFileSync(page, 'utf8'), setupSchema(), 'write it anew: npm run generate');
});

test('exports, examples and files of names keep to the schema, and faults of form do not', async (t) => {
  const validate = compile();
  const db = await openTestDatabase(t);
  await apply(db, { 'company.json': company() });
  const files = [
    company(),
    await exportedDocument(db),
    JSON.parse(example('company.json').toString()),
    JSON.parse(example('forty-crews/company.json').toString()),
  ];
  for (const file of files) assert.ok(validate(file), JSON.stringify(validate.errors));
  for (const wrong of [
    {},
    { format: 2 },
    { format: 1, crews: [] },
    { format: 1, teams: [{ name: 'A', zoneIds: [] }] },
    { format: 1, teams: [{ name: ' ' }] },
    { format: 1, services: [{ nameEn: 'A', durationMinutes: 1.5 }] },
  ])
    assert.ok(!validate(wrong), JSON.stringify(wrong));
});

test('the guide shows a file of the schema, and commands that there are', () => {
  const guide = readFileSync(new URL('../docs/setting-up.md', import.meta.url), 'utf8');
  const [, shown] = /```json\n([\s\S]*?)```/.exec(guide)!;
  assert.ok(compile()(JSON.parse(shown!)));
  const commands = [...guide.matchAll(/partner-booking setup (\w+)/g)].map(([, command]) => command);
  assert.deepEqual(new Set(commands), new Set(['schema', 'check', 'apply', 'export']));
});

test('the schema has keywords of the standard only', () => {
  const own =
    /"(?:rule|trimmedLength|isLine|visible|midnightForm|hints|meaning|documented|notInFiles)"|"int\d\d"/;
  assert.doesNotMatch(setupSchema(), own);
  assert.match('{"rule":{}}', own);
});
