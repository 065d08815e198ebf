import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AUDIT_TEXTS } from '../console/texts-audit.ts';

const sourceOf = (path: string): string => readFileSync(path, 'utf8');
const SOURCES = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'));

/** The actions that a source records, and its calls of `audit` without one. */
function recordedBy(source: string): { actions: string[]; unnamed: string[] } {
  const named = [...source.matchAll(/\baction: ([^\n}]*)/g)].map(([, value = '']) => value);
  const calls = source.split(/(?<!function )\baudit\(tx,/).slice(1);
  return {
    actions: [
      ...named.flatMap((value) => [...value.matchAll(/'([\w-]+\.\w+)'/g)].map(([, action = '']) => action)),
      ...recordedRows(source),
    ],
    unnamed: calls.map((call) => call.slice(0, 300)).filter((call) => !/\baction[:,]/.test(call)),
  };
}

/** The actions of rows whose changes are recorded by their kind (src/db/audited-rows.ts). */
function recordedRows(source: string): string[] {
  const kept = [...source.matchAll(/\bauditedRows\(\w+, \{\s*kind: '([\w-]+)'/g)];
  const used = ['create', 'update', ...(/\.remove\(/.test(source) ? ['delete'] : [])];
  const whole = kept.flatMap(([, kind]) => used.map((verb) => `${kind}.${verb}`));
  const [, kind] = /\bauditOf\('([\w-]+)'/.exec(source) ?? [];
  if (kind === undefined) return whole;
  const changes = [...source.matchAll(/\brecord\w*(?:\(clock\))?\(tx, [^{]*\{([^}]*)\}/g)];
  const verbs = changes.map(([, change = '']) => {
    const [, verb] = /\bverb: '(\w+)'/.exec(change) ?? [];
    if (verb !== undefined) return verb;
    return !/\bbefore\b/.test(change) ? 'create' : /\bafter\b/.test(change) ? 'update' : 'delete';
  });
  return [...whole, ...verbs.map((verb) => `${kind}.${verb}`)];
}

/** The actions that a migration records. */
const migratedBy = (sql: string): string[] =>
  [...sql.matchAll(/\binsert into audit_log\b[^;]*?'([\w-]+\.\w+)'/g)].map(([, action = '']) => action);

test('every action of the audit log has a sentence in both languages', () => {
  const found = SOURCES.map((path) => recordedBy(sourceOf(path)));
  const migrated = globSync('migrations/*.sql').flatMap((path) => migratedBy(sourceOf(path)));
  const actions = new Set([...found.flatMap((one) => one.actions), ...migrated]);
  assert.deepEqual(
    found.flatMap((one) => one.unnamed),
    [],
    'a call names its action',
  );
  assert.ok(
    actions.size > 40 &&
      actions.has('payment.refund') &&
      actions.has('audit.rechain') &&
      actions.has('appointment.correct'),
  );
  const texts: Record<string, { en: string; ar: string }> = AUDIT_TEXTS;
  for (const action of actions) {
    const { en = '', ar = '' } = texts[`audited.${action}`] ?? {};
    assert.match(en, /^\{actor\} \w/, `${action} in English`);
    assert.match(ar, /^\{actor\}: [\u0600-\u06ff]/, `${action} in Arabic`);
  }
  // No sentence of an action that is recorded no longer.
  const said = Object.keys(texts).flatMap((key) => /^audited\.(?!case\.)(.+)$/.exec(key)?.[1] ?? []);
  assert.deepEqual(
    said.filter((action) => !actions.has(action)),
    [],
  );
});

test('an action, or a call without one, is found in a source', () => {
  const source = "await audit(tx, now, { actor, action: isNew ? 'a-b.make' : 'a-b.change', target });";
  assert.deepEqual(recordedBy(source), { actions: ['a-b.make', 'a-b.change'], unnamed: [] });
  assert.equal(recordedBy('await audit(tx, now, { actor, target });').unnamed.length, 1);
  const rows =
    "auditedRows(rows, {\n  kind: 'a',\n}); a.remove(db); const record = auditOf('b', view); await record(tx, now, { actor, before });";
  assert.deepEqual(
    recordedBy(`${rows} await record(tx, now, { actor, before, after, verb: 'end' });`).actions,
    ['a.create', 'a.update', 'a.delete', 'b.delete', 'b.end'],
  );
});
