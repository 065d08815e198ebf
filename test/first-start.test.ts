import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { migrate, pendingMigrations } from '../src/db/migrate.ts';
import { openDb } from '../src/db/open.ts';
import { ownSources } from '../src/db/sources.ts';
import { copyTemplate, ensureTemplate, inDataDir, ownTemplate, templateKey } from '../src/db/template.ts';
import { parseConfig } from '../src/program/config.ts';

/** A first start copies its database. */

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-first-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** In the place of a database: copying does not look into it. */
async function putFiles(dataDir: string, text = 'whole'): Promise<void> {
  mkdirSync(join(dataDir, 'postgres/base'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), text);
  writeFileSync(join(dataDir, 'postgres/base/1'), text);
}

const versionIn = (dataDir: string): string => readFileSync(join(dataDir, 'postgres/PG_VERSION'), 'utf8');

test('a first start copies the template of the install, and a later one does not', async (t) => {
  await ensureTemplate(ownTemplate(), (dataDir) => inDataDir(dataDir, (db) => migrate(db)));
  const config = parseConfig({ DATA_DIR: join(temporaryFolder(t), 'data'), DEPLOYMENT: 'sandbox' });
  const open = () => openDb(config, (error) => assert.fail(error));
  const first = await open();
  assert.deepEqual(await pendingMigrations(first), [], 'nobody has migrated it');
  await first.rows({ text: 'create table kept ()' });
  await first.close();
  const second = await open();
  t.after(() => second.close());
  assert.deepEqual(await second.rows({ text: 'table kept' }), []);
});

test('another migration, function or release has another template, and its path does not matter', (t) => {
  const { migrations, slices } = ownSources();
  const folder = temporaryFolder(t);
  cpSync(migrations, join(folder, 'migrations'), { recursive: true });
  cpSync(join(slices, 'events'), join(folder, 'src/events'), { recursive: true });
  cpSync(join(slices, 'db'), join(folder, 'src/db'), { recursive: true });
  const sources = { migrations: join(folder, 'migrations'), slices: join(folder, 'src'), release: '0.1.0' };
  const moved = join(temporaryFolder(t), 'moved');
  cpSync(folder, moved, { recursive: true });
  const before = templateKey(sources);
  assert.equal(
    templateKey({ ...sources, migrations: join(moved, 'migrations'), slices: join(moved, 'src') }),
    before,
  );
  const keys = [before, templateKey({ ...sources, release: '0.2.0' })];
  for (const file of ['migrations/0001_db.sql', 'src/events/functions.sql']) {
    writeFileSync(join(folder, file), '-- changed', { flag: 'a' });
    keys.push(templateKey(sources));
  }
  writeFileSync(join(folder, 'migrations/9999_more.sql'), '-- compatible since: 0.1.0');
  keys.push(templateKey(sources));
  assert.equal(new Set(keys).size, 5, keys.join());
});

test('simultaneous installs make one whole template', async (t) => {
  const folder = temporaryFolder(t);
  const template = join(folder, 'cache/database-1');
  const begun = Promise.withResolvers<void>();
  let number = 0;
  const make = async (dataDir: string): Promise<void> => {
    const text = `of ${++number}`;
    if (number === 2) begun.resolve();
    await begun.promise;
    assert.ok(!existsSync(template));
    await putFiles(dataDir, text);
  };
  await Promise.all([ensureTemplate(template, make), ensureTemplate(template, make)]);
  assert.match(versionIn(template), /^of [12]$/);
  assert.deepEqual(readdirSync(join(folder, 'cache')), ['database-1'], 'nothing else is left');
  await ensureTemplate(template, () => assert.fail('it is there'));
});

test('a template that failed does not exist', async (t) => {
  const folder = temporaryFolder(t);
  const template = join(folder, 'database-1');
  const failing = async (dataDir: string): Promise<void> => {
    await putFiles(dataDir, 'half');
    throw new Error('no room');
  };
  await assert.rejects(ensureTemplate(template, failing), /no room/);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(copyTemplate(template, folder), false);
  writeFileSync(join(folder, 'cache'), 'as where nobody may write');
  await assert.rejects(ensureTemplate(join(folder, 'cache/database-1'), failing), /EEXIST|ENOTDIR/);
});

test('an interrupted copy is repeated; the data of a start is not touched', async (t) => {
  const folder = temporaryFolder(t);
  const [template, dataDir] = [join(folder, 'template'), join(folder, 'data')];
  await putFiles(template);
  // A process that is killed while it copies leaves this.
  mkdirSync(join(dataDir, 'postgres.new'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres.new/PG_VERSION'), 'half');
  writeFileSync(join(dataDir, 'postgres.new/old'), 'of another template');
  assert.equal(copyTemplate(template, dataDir), true);
  assert.deepEqual(readdirSync(dataDir), ['postgres']);
  assert.deepEqual(readdirSync(join(dataDir, 'postgres')), ['PG_VERSION', 'base']);
  assert.equal(versionIn(dataDir), 'whole');

  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), 'its own by now');
  assert.equal(copyTemplate(template, dataDir), false);
  assert.equal(versionIn(dataDir), 'its own by now');
});

test('a template that can be copied only partly leaves nothing: the start creates a database', async (t) => {
  const template = temporaryFolder(t);
  await putFiles(template);
  const name = 'x'.repeat(200);
  writeFileSync(join(template, 'postgres/base', name), '');
  // Its path in this folder is longer than any may be.
  const dataDir = join(temporaryFolder(t), ...Array<string>(19).fill(name), 'x'.repeat(150));
  mkdirSync(dataDir, { recursive: true });
  assert.equal(copyTemplate(template, dataDir), false);
  assert.deepEqual(readdirSync(dataDir), []);
});

test('an install succeeds where no template can be made', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'scripts'));
  // Its program is not there, as before the sources are copied into an image.
  const script = join(folder, 'scripts/prepare-database.js');
  cpSync(new URL('../scripts/prepare-database.js', import.meta.url), script);
  const { stderr } = await promisify(execFile)(process.execPath, [script]);
  assert.match(stderr, /^No database is prepared for a first start, which makes it then: [^\n]+\n$/);
});

test('the template of this version is beside the dependencies, and replaced with them', () => {
  assert.ok(ownTemplate().includes(`/node_modules/.cache/partner-booking/database-${templateKey()}`));
});
