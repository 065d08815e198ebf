import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isRead } from '../src/http/methods.ts';
import { PERMISSIONS } from '../src/partners/key-rules.ts';
import { buildApp } from '../src/program/app.ts';
import { startTestService } from './harness.ts';
import { INFRASTRUCTURE, LAYERS } from './layers.ts';

/**
 * The rules of the repository (docs/ARCHITECTURE.md), as tests. Every rule is a pure function from sources to
 * faults, and beside each test of a rule stands one that shows it a bad sample: a rule that can catch nothing
 * guards nothing.
 */
type Source = { path: string; text: string };

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|sql)$/.test(name))
    .map((name) => join(folder, name))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts');
const sources = sourcesIn('src');
const functions = sources.filter(({ path }) => path.endsWith('.sql'));
const program = sources.filter((source) => !isTest(source) && !functions.includes(source));
const tests = [...sources.filter(isTest), ...sourcesIn('test'), ...sourcesIn('sdk/test')];
const migrations = sourcesIn('migrations');

// ---------------------------------------------------------------------------
// Reading sources: comments, literals and what is left

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:[^`\\]|\\[\s\S])*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;

const isComment = (token: string): boolean => token.startsWith('//') || token.startsWith('/*');

function withoutComments(text: string): string {
  return text.replace(TOKEN, (token) => (isComment(token) ? ' ' : token));
}

/** The code alone: no comments, and literals emptied. */
function codeOf(text: string): string {
  return text.replace(TOKEN, (token) => (isComment(token) ? ' ' : "''"));
}

function literalsOf(text: string): string[] {
  return (text.match(TOKEN) ?? []).filter((token) => !isComment(token)).map((token) => token.slice(1, -1));
}

type Import = { from: string; to: string; typeOnly: boolean };

/** The project's own files that a file imports, as paths from the root. */
function importsOf({ path, text }: Source): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, typeOnly: boolean): void => {
    if (!specifier.startsWith('.')) return;
    found.push({ from: path, to: normalize(join(dirname(path), specifier)), typeOnly });
  };
  const plain = withoutComments(text);
  for (const [, type, specifier] of plain.matchAll(
    /\b(?:import|export)\s+(type\s)?[^'"`;()]*?\bfrom\s*['"]([^'"]+)['"]/g,
  )) {
    add(specifier!, type !== undefined);
  }
  for (const [, specifier] of plain.matchAll(/\bimport\s*\(?\s*['"`]([^'"`]+)['"`]/g)) {
    add(specifier!, false);
  }
  return found;
}

// ---------------------------------------------------------------------------
// Who may import whom

const SLICES = LAYERS.flat();
const ROOMS = INFRASTRUCTURE.flat();
/** Only these may import the following. */
const ONLY_FROM: Record<string, string[]> = {
  operator: ['src/program/app.ts'],
  // The pages of a sandbox use it; its clock caps due dates in every slice.
  simulator: [
    'src/program/app.ts',
    'src/program/worker.ts',
    'src/portal/sandbox-routes.ts',
    'src/certification/certify.ts',
    'src/certification/rules.ts',
    'src/operator/sandbox-clock.ts',
    // A header of every operation.
    'src/openapi/partner-interface.ts',
  ],
  // The operator mounts its links.
  portal: ['src/program/app.ts', 'src/operator/routes.ts'],
  certification: ['src/program/app.ts', 'src/program/worker.ts', 'src/portal/certification-routes.ts'],
  'developer-docs': ['src/program/app.ts'],
  // The command line's program; the service seeds the demo data.
  cli: ['src/cli.ts', 'src/program/service.ts', 'src/program/credentials.ts'],
  // Printed ahead of time: a running service serves the files.
  openapi: [],
};
/** They put the program together and may import every slice. */
const COMPOSITION = ['main', 'cli', 'program', 'openapi'];
/** Its files import nothing of ours, not even each other. */
const LEAVES = 'base';
/** They mount the routes of the slices, and hand out the parts that these name: the types of program/deps.ts. */
const MOUNTING = ['src/operator/routes.ts', 'src/portal/routes.ts'];
const DEPS = 'src/program/deps.ts';

/** `bookings` of `src/bookings/create.ts`, `main` of `src/main.ts`. */
function homeOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

const depthIn = (layers: readonly string[][], room: string): number =>
  layers.findIndex((layer) => layer.includes(room));

function forbidden({ from, to, typeOnly }: Import): string | null {
  const [home, target] = [homeOf(from), homeOf(to)];
  if (home === 'cli' && /^examples\/[\w/-]+\.json$/.test(to)) return null;
  if (!to.startsWith('src/') || to.endsWith('.test.ts')) return 'the program imports nothing of its tests';
  if (home === LEAVES) return 'leaves import nothing of ours';
  if (home === target) return null;
  if (ONLY_FROM[target] && !ONLY_FROM[target].includes(from))
    return `only ${ONLY_FROM[target].join(' and ')} may`;
  if (COMPOSITION.includes(home)) return null;
  if (target === LEAVES) return null;
  if (ROOMS.includes(home)) {
    if (!ROOMS.includes(target)) return 'infrastructure knows no domain';
    return depthIn(INFRASTRUCTURE, target) > depthIn(INFRASTRUCTURE, home)
      ? null
      : 'imports go downwards only';
  }
  if (!SLICES.includes(home)) return `${home} is no slice: name it in test/structure.test.ts`;
  if (ROOMS.includes(target)) return null;
  if (to === DEPS && typeOnly && MOUNTING.includes(from)) return null;
  if (SLICES.includes(target))
    return depthIn(LAYERS, target) > depthIn(LAYERS, home) ? null : 'slices import downwards only';
  return 'slices take what they need as arguments';
}

function importFaults(files: readonly Source[]): string[] {
  return files.flatMap(importsOf).flatMap((found) => {
    const reason = forbidden(found);
    return reason === null ? [] : `${found.from} imports ${found.to}: ${reason}`;
  });
}

/** Each cycle once, as `a -> b -> a`. Types of deps.ts do not count: it names every part, and runs none. */
function cyclesIn(files: readonly Source[]): string[] {
  const next = new Map<string, string[]>();
  for (const file of files) {
    const edges = importsOf(file).filter((found) => !(found.typeOnly && found.to === 'src/program/deps.ts'));
    next.set(
      file.path,
      edges.map((found) => found.to),
    );
  }
  const cycles: string[] = [];
  const done = new Set<string>();
  function visit(path: string, trail: string[]): void {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push([...trail.slice(at), path].join(' -> '));
    if (at >= 0 || done.has(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  }
  for (const path of next.keys()) visit(path, []);
  return cycles;
}

test('slices import downwards only, infrastructure imports no slice, and no slice the operator side', () => {
  assert.deepEqual(importFaults(program), []);
});

test('an import in the wrong direction is caught', () => {
  const caught = (path: string, text: string): number => importFaults([{ path, text }]).length;
  assert.equal(caught('src/catalogue/a.ts', `import { x } from '../bookings/create.ts';`), 1);
  assert.equal(caught('src/catalogue/a.ts', `import type {\n  X,\n} from '../contacts/contacts.ts';`), 1);
  assert.equal(caught('src/http/a.ts', `import { x } from '../partners/rules.ts';`), 1);
  assert.equal(caught('src/db/a.ts', `import { x } from '../http/edge.ts';`), 1);
  assert.equal(caught('src/program/app.ts', `import { x } from '../openapi/generator.ts';`), 1);
  assert.equal(caught('src/http/a.ts', `const x = await import('../program/config.ts');`), 1);
  assert.equal(caught('src/program/worker.ts', `export { x } from '../operator/routes.ts';`), 1);
  assert.equal(caught('src/bookings/a.ts', `import '../webhooks/jobs.ts';`), 1);
  assert.equal(caught('src/developer-docs/a.ts', `import { x } from '../partners/rules.ts';`), 1);
  assert.equal(caught('src/cli/a.ts', `import x from '../../examples/riyadh/day.json';`), 0);
  assert.equal(caught('src/teams/a.ts', `import x from '../../examples/riyadh/day.json';`), 1);
  assert.equal(caught('src/operator/a.ts', `import { x } from '../developer-docs/guides.ts';`), 1);
  assert.equal(caught('src/operator/a.ts', `import type { Deps } from '../program/deps.ts';`), 1);
  assert.equal(caught('src/operator/routes.ts', `import { type Deps } from '../program/deps.ts';`), 1);
  assert.equal(caught('src/db/a.ts', `import type { Config } from '../program/config.ts';`), 1);
  assert.equal(caught('src/bookings/a.ts', `import { call } from '../../test/harness.ts';`), 1);
  assert.equal(caught('src/base/clock.ts', `import { x } from './errors.ts';`), 1);
  assert.equal(caught('src/helpers/a.ts', `import { x } from '../partners/rules.ts';`), 1);
  // And permitted imports are not.
  assert.equal(caught('src/bookings/a.ts', `import { x } from '../availability/slots.ts';`), 0);
  assert.equal(caught('src/operator/routes.ts', `import type { Deps } from '../program/deps.ts';`), 0);
  assert.equal(caught('src/partners/a.ts', `// from '../bookings/create.ts'`), 0);
});

test('no import cycles', () => {
  assert.deepEqual(cyclesIn(program), []);
});

test('a cycle is caught', () => {
  const circle = [
    { path: 'src/partners/a.ts', text: `import { b } from './b.ts';` },
    { path: 'src/partners/b.ts', text: `export { c } from './c.ts';` },
    { path: 'src/partners/c.ts', text: `const a = await import('./a.ts');` },
  ];
  assert.deepEqual(cyclesIn(circle), [
    'src/partners/a.ts -> src/partners/b.ts -> src/partners/c.ts -> src/partners/a.ts',
  ]);
  assert.deepEqual(cyclesIn(circle.slice(0, 2)), []);
});

test('the import reader finds every import of the program', () => {
  // Counted in another way: lines that end an import of our files.
  const lines = program.flatMap((file) => file.text.match(/(?:from|import\() ?'\.{1,2}\//g) ?? []);
  assert.equal(program.flatMap(importsOf).length, lines.length);
});

// ---------------------------------------------------------------------------
// SQL, time, environment

const STATEMENT =
  /^\s*(?:select\s[\s\S]*\b(?:from|as)\b|select\s+(?:\d|\w+\s*\()|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\(|(?:create|alter|drop)\s+(?:table|index|type)\s)/i;
const SQL_CLOCK =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(|\bcurrent_(?:timestamp|date|time)\b|\blocaltime/i;
/** Leases run by the database's clock, the only one that all processes share. */
const LEASE_CLOCK = /(?:\bleased_until = |\bv_real_now := )clock_timestamp\(\)/g;

/** open-db.ts reads the server's version and clock, not a slice's tables. */
const maySpeakSql = (path: string): boolean => /queries\.ts$/.test(path) || ROOMS.includes(homeOf(path));

function sqlFaults(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) =>
    maySpeakSql(path)
      ? []
      : literalsOf(text)
          .filter((literal) => STATEMENT.test(literal))
          .map((literal) => `${path}: SQL outside queries.ts: ${literal.trim().slice(0, 40)}`),
  );
}

/** Business time comes in as a parameter; a database's own clock cannot be set by tests or the sandbox. */
function sqlClockFaults(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) => {
    // Two compare the server's clock with the process's, one notes when a migration ran, one has the real age of backups.
    if (/^src\/db\/(?:open|health|migrate|backup-reports)\.ts$/.test(path)) return [];
    const statements = path.endsWith('.sql')
      ? [text.replace(/--.*$/gm, '')]
      : literalsOf(text).filter((literal) => STATEMENT.test(literal));
    return statements.some((statement) => SQL_CLOCK.test(statement.replace(LEASE_CLOCK, '')))
      ? [`${path}: SQL asks the time`]
      : [];
  });
}

type CodeRule = { name: string; pattern: RegExp; allowed: readonly string[] };

const CODE_RULES: CodeRule[] = [
  {
    name: 'now',
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bTemporal\.Now\b/,
    allowed: ['src/base/clock.ts'],
  },
  // Durations only; its origin means nothing outside the process.
  {
    name: 'stopwatch',
    pattern: /\bperformance\.now\b/,
    allowed: ['src/db/', 'src/http/', 'src/runtime/', 'src/outbound/', 'src/main.ts'],
  },
  {
    name: 'environment',
    pattern: /\bprocess\.env\b/,
    allowed: ['src/main.ts', 'src/program/config.ts', 'src/cli.ts'],
  },
  // It reads OpenTelemetry's variables, and is imported only with a configured exporter.
  {
    name: "OpenTelemetry's environment",
    pattern: /\bget(?:String|StringList|Number|Boolean)FromEnv\b/,
    allowed: ['src/runtime/tracing-sdk.ts'],
  },
  { name: 'process end', pattern: /\bprocess\.exit\b/, allowed: ['src/main.ts', 'src/cli.ts'] },
  { name: 'barrel', pattern: /\bexport\s*\*/, allowed: [] },
];

function codeFaults(rule: CodeRule, files: readonly Source[]): string[] {
  return files
    .filter(({ path }) => !rule.allowed.some((allowed) => path.startsWith(allowed)))
    .filter(({ text }) => rule.pattern.test(codeOf(text)))
    .map(({ path }) => `${path}: ${rule.name}`);
}

test('SQL is in queries.ts and infrastructure only, and reads no clock', () => {
  assert.deepEqual(sqlFaults(program), []);
  assert.deepEqual(sqlClockFaults([...program, ...migrations, ...functions]), []);
});

test('SQL elsewhere is caught, and so is SQL that reads the time', () => {
  const faults = (text: string): number => sqlFaults([{ path: 'src/bookings/create.ts', text }]).length;
  assert.equal(faults('db.rows({ text: `\n  SELECT id FROM bookings` })'), 1);
  assert.equal(faults(`db.rows({ text: 'update bookings set status = $1' })`), 1);
  assert.equal(faults(`const text = "delete from bookings"`), 1);
  assert.equal(faults('`with x as (select 1) insert into y select * from x`'), 1);
  assert.equal(faults(`// 'select 1 from bookings'\nthrow new Error('update the program')`), 0);

  const asks = (path: string, text: string): number => sqlClockFaults([{ path, text }]).length;
  assert.equal(asks('src/bookings/queries.ts', "'select 1 from bookings where starts_at < now()'"), 1);
  assert.equal(asks('migrations/1.sql', 'create table a (at timestamptz default current_timestamp)'), 1);
  assert.equal(asks('src/a/queries.ts', "'update b set leased_until = clock_timestamp() where id = $1'"), 0);
  assert.equal(asks('src/a/queries.ts', "'update b set due_at = clock_timestamp() where id = $1'"), 1);
  assert.equal(asks('migrations/1.sql', '-- now() is not used\ncreate table a (id uuid)'), 0);
  assert.equal(asks('src/a/functions.sql', 'create function b() as $$ begin v_now := now(); end $$'), 1);
  assert.equal(
    asks('src/a/functions.sql', 'create function b() as $$ begin v_real_now := clock_timestamp(); end $$'),
    0,
  );
});

for (const rule of CODE_RULES) {
  test(`${rule.name}: only where it belongs`, () => {
    assert.deepEqual(codeFaults(rule, program), []);
  });
}

test('code where it does not belong is caught', () => {
  const samples: Record<string, string[]> = {
    now: ['const now = Date.now();', 'const now = new Date();', 'Temporal.Now.instant()'],
    stopwatch: ['const started = performance.now();'],
    environment: ['const { PORT } = process.env;'],
    "OpenTelemetry's environment": [`getStringFromEnv('OTEL_TRACES_SAMPLER')`],
    'process end': ['process.exit(1);'],
    barrel: [`export * from './create.ts';`],
  };
  for (const rule of CODE_RULES) {
    for (const text of samples[rule.name] ?? assert.fail(`no sample for ${rule.name}`)) {
      assert.equal(codeFaults(rule, [{ path: 'src/bookings/create.ts', text }]).length, 1, text);
      assert.equal(codeFaults(rule, [{ path: 'src/bookings/create.ts', text: `// ${text}` }]).length, 0);
    }
  }
});

/** They complete a value that the same file makes: a schema, the parsers of columns. */
const COMPLETES = /^(?:withRules|types\.setTypeParser)\(/;

/** Calls that stand alone at the top level, where the formatter indents nothing: they happen at import. */
function effectFaults(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...codeOf(text).matchAll(/^(?:await |void |new )?[A-Za-z_$][\w$.?]*(?:<[^>\n]*>)?\(.*/gm)]
      .map(([call]) => call)
      .filter((call) => !COMPLETES.test(call) && !/^(?:if|for|while|switch)\b/.test(call))
      .map((call) => `${path}: happens at import: ${call.slice(0, 40)}`),
  );
}

test('importing has no effects', () => {
  assert.deepEqual(effectFaults(program), []);
});

test('effects of an import are caught', () => {
  const faults = (text: string): number => effectFaults([{ path: 'src/a/b.ts', text }]).length;
  assert.equal(
    faults("import { subscribe } from 'x';\nsubscribe('channel', (message) => {\n  hear(message);\n});"),
    1,
  );
  assert.equal(faults('await start();\nprocess.on(name, end);\nnew Server<Thing>(port);'), 3);
  assert.equal(
    faults('export function start(): void {\n  subscribe(channel, hear);\n}\nconst X = make();'),
    0,
  );
  assert.equal(faults('// start();\nconst TEXT = `\nstart()\n`;\nwithRules(Schema, faultsOf);'), 0);
});

/**
 * Functions of queries that no other file names. Other exports are knip's, which leaves out files of queries: a test
 * reads their statements, so that all are exported (test/statements.test.ts).
 */
function unusedQueries(files: readonly Source[]): string[] {
  const named = new Map<string, Set<string>>();
  for (const { path, text } of files)
    for (const [name] of codeOf(text).matchAll(/[\w$]+/g))
      named.set(name, (named.get(name) ?? new Set()).add(path));
  return files
    .filter(({ path }) => path.endsWith('queries.ts'))
    .flatMap(({ path, text }) =>
      [...codeOf(text).matchAll(/^export (?:async )?function (\w+)/gm)]
        .filter(([, name]) => named.get(name!)!.size === 1)
        .map(([, name]) => `${path}: ${name} is used nowhere else`),
    );
}

test('queries are used', () => {
  assert.deepEqual(unusedQueries([...program, ...tests, ...sourcesIn('bench'), ...sourcesIn('chaos')]), []);
});

test('a query that is not used is caught', () => {
  const query = { path: 'src/a/queries.ts', text: 'export async function list() {}\nlist();' };
  assert.deepEqual(unusedQueries([query]), ['src/a/queries.ts: list is used nowhere else']);
  assert.equal(unusedQueries([query, { path: 'src/a/b.ts', text: '// list' }]).length, 1);
  assert.equal(
    unusedQueries([query, { path: 'src/a/b.ts', text: "import { list } from './queries.ts';" }]).length,
    0,
  );
});

// ---------------------------------------------------------------------------
// Files

/** Names of grab-bags and layers. */
const VAGUE =
  /(?:^|-)(?:index|lib|libs|util|utils|helper|helpers|common|misc|shared|types|service|controller|manager|model)$/;
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.test)?\.ts$/;

function fileFaults(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const [home = '', name, ...deeper] = relative('src', path).split('/');
    if (name === undefined) {
      return ['main', 'cli'].includes(home.replace(/(?:\.test)?\.ts$/, ''))
        ? []
        : [`${path}: belongs into a slice`];
    }
    if (![...ROOMS, ...SLICES, ...COMPOSITION, LEAVES].includes(home)) return [`${path}: ${home} is no room`];
    if (name === 'providers' && home === 'payments' && deeper.length === 1) return [];
    // The service as a whole, named after it.
    if (path === 'src/program/service.ts') return [];
    if (deeper.length > 0) return [`${path}: slices are flat`];
    if (name === 'functions.sql') return [];
    if (!NAME.test(name)) return [`${path}: names are lower case with hyphens, and end in .ts`];
    return VAGUE.test(name.replace(/(?:\.test)?\.ts$/, '')) ? [`${path}: says nothing of what it holds`] : [];
  });
}

test('files are in their folders and named by their content', () => {
  assert.deepEqual(fileFaults(sources.map(({ path }) => path)), []);
});

test('a stray file is caught', () => {
  const stray = [
    'src/helpers.ts',
    'src/statistics/rules.ts',
    'src/bookings/index.ts',
    'src/bookings/booking-utils.ts',
    'src/bookings/bookingRules.ts',
    'src/bookings/create/rules.ts',
    'src/bookings/triggers.sql',
  ];
  assert.equal(fileFaults(stray).length, stray.length);
  assert.deepEqual(
    fileFaults(['src/bookings/rules.ts', 'src/bookings/rules.test.ts', 'src/base/clock.test.ts']),
    [],
  );
});

/** A condition (`skip: !onPostgres && 'why'`) is fine; switching a test off or all others is not. */
function switchedOff(files: readonly Source[]): string[] {
  const pattern =
    /\b(?:test|it|describe|suite)\s*\.\s*(?:only|skip|todo)\b|\b(?:only|skip|todo)\s*:\s*(?:true|'')/;
  return files.filter(({ text }) => pattern.test(codeOf(text))).map(({ path }) => path);
}

test('no test is switched off, and none disables others', () => {
  assert.deepEqual(switchedOff(tests), []);
});

test('a test that is switched off is caught', () => {
  const bad = [
    `test.only('x', () => {});`,
    `describe.skip('x')`,
    `test('x', { skip: true })`,
    `{ todo: 'x' }`,
  ];
  for (const text of bad) assert.equal(switchedOff([{ path: 'a.test.ts', text }]).length, 1, text);
  assert.equal(switchedOff([{ path: 'a.test.ts', text: `{ skip: !onPostgres && 'why' }` }]).length, 0);
});

/** Mocks and hooks of a whole process, which many files share (scripts/run-tests.ts): those of a test are its context's. */
function reachingOthers(files: readonly Source[]): string[] {
  const pattern = /^import\s*\{[^}]*\b(?:mock|beforeEach|afterEach)\b[^}]*\}/m;
  return files.filter(({ text }) => pattern.test(codeOf(text))).map(({ path }) => path);
}

test('no test file changes the state of others', () => {
  assert.deepEqual(reachingOthers(tests), []);
});

test('a test file that changes the state of others is caught', () => {
  const caught = (text: string): number => reachingOthers([{ path: 'a.test.ts', text }]).length;
  assert.equal(caught(`import { mock, test } from 'node:test';`), 1);
  assert.equal(caught(`import {\n  afterEach,\n  test,\n} from 'node:test';`), 1);
  assert.equal(caught(`import { type TestContext, test } from 'node:test';\nt.mock.timers.enable();`), 0);
});

// ---------------------------------------------------------------------------
// What people read

/** Environment variables that one of the two knows and the other does not. */
function undocumented(config: string, page: string): string[] {
  const read = new Set(
    [
      ...config.matchAll(/\b(?:text|integer|seconds|flag|choice|url|key|token|baseUrl|list)\('([A-Z_]+)'/g),
    ].map(([, name]) => name!),
  );
  // The first cells of the table's rows.
  const cells = [...page.matchAll(/^\|([^|]*`[A-Z_]+`[^|]*)\|/gm)].map(([, cell]) => cell!);
  const told = new Set(cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!)));
  return [...read.symmetricDifference(told)].sort();
}

/** Links from one of our files to another that is not there. */
function deadLinks({ path, text }: Source): string[] {
  return [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)]
    .map(([, target]) => join(dirname(path), target!))
    .filter((target) => !existsSync(join(ROOT, target)))
    .map((target) => `${path}: ${target} is not there`);
}

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pages = ['', 'docs', 'docs/decisions', 'examples/partner-app', 'sdk', 'sdk-python'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

test('docs/configuration.md has every environment variable, and no other', () => {
  assert.deepEqual(undocumented(readText('src/program/config.ts'), readText('docs/configuration.md')), []);
});

test('.env.example has every environment variable too', () => {
  const example = readText('.env.example').replaceAll(/^(?:# )?([A-Z_]+)=.*$/gm, '| `$1` |');
  assert.deepEqual(undocumented(readText('src/program/config.ts'), example), ['POSTGRES_PASSWORD']);
});

test('a forgotten variable is caught', () => {
  const page = '| `HOST` | | |\n| `PORT` | | |\n| `OLD` | | |';
  assert.deepEqual(undocumented(`text('HOST') integer('PORT', 0, 1) flag('NEW', true)`, page), [
    'NEW',
    'OLD',
  ]);
});

/** Names of jobs that stand in one of both only: the list of the worker, and the table of the page. */
function unlistedJobs(worker: string, page: string): string[] {
  const namesIn = (text: string, pattern: RegExp) =>
    new Set([...text.matchAll(pattern)].map(([, name]) => name!));
  const jobs = namesIn(worker, /\bname: '([a-z-]+)',\s+everyMilliseconds/g);
  const table = /\n## The worker's jobs\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
  return [...jobs.symmetricDifference(namesIn(table, /^\| `([a-z-]+)` \|/gm))].sort();
}

test('the page of internals has every job of the worker, and no other', () => {
  assert.deepEqual(unlistedJobs(readText('src/program/worker.ts'), readText('docs/internals.md')), []);
});

test('a job that one of both lacks is caught', () => {
  const worker = "{ name: 'new', everyMilliseconds: 1 }, {\n  name: 'kept',\n  everyMilliseconds: 2 }";
  const page = "\n## The worker's jobs\n\n| Job |\n| --- |\n| `kept` | 1 s |\n| `gone` | 1 s |\n\n## More\n";
  assert.deepEqual(unlistedJobs(worker, page), ['gone', 'new']);
});

test('links between pages lead somewhere, and the index of decisions is complete', () => {
  assert.deepEqual(
    pages.flatMap((path) => deadLinks({ path, text: readText(path) })),
    [],
  );
  const index = readText('docs/decisions/README.md');
  const decisions = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => name !== 'README.md');
  assert.deepEqual(
    decisions.filter((name) => !index.includes(`](${name})`)),
    [],
  );
});

/** Words of a page outside its tables and code. */
const wordsOf = (text: string): number =>
  text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/^\|.*$/gm, '')
    .split(/\s+/)
    .filter((word) => word !== '').length;

const MAX_DECISIONS = 35;
const MAX_WORDS_OF_DECISION = 300;
const MAX_WORDS_OF_README = 1200;

/** Decisions that are too many or too long, and a README that is. Of the README tables and code count as well. */
function longPages(decisions: readonly Source[], readme: string): string[] {
  const faults = decisions
    .filter(({ text }) => wordsOf(text) > MAX_WORDS_OF_DECISION)
    .map(({ path, text }) => `${path}: ${wordsOf(text)} words, at most ${MAX_WORDS_OF_DECISION}`);
  if (decisions.length > MAX_DECISIONS)
    faults.push(`${decisions.length} decisions, at most ${MAX_DECISIONS}: one subject is one page`);
  const words = readme.trim().split(/\s+/).length;
  if (words > MAX_WORDS_OF_README) faults.push(`README.md: ${words} words, at most ${MAX_WORDS_OF_README}`);
  return faults;
}

test('README and decisions are short', () => {
  const decisions = pages
    .filter((path) => dirname(path) === 'docs/decisions' && path !== 'docs/decisions/README.md')
    .map((path) => ({ path, text: readText(path) }));
  assert.notEqual(decisions.length, 0);
  assert.deepEqual(longPages(decisions, readText('README.md')), []);
});

test('a page that is too long is caught, and one decision too many', () => {
  const page = (text: string): Source => ({ path: 'docs/decisions/a.md', text });
  const words = (count: number): string => 'word '.repeat(count);
  const beside = `\n| a | b |\n| ${words(50)} | b |\n\n\`\`\`sh\n${words(50)}\n\`\`\`\n`;
  assert.deepEqual(longPages([page(words(300) + beside)], words(1200)), []);
  assert.equal(longPages([page(words(301))], '').length, 1);
  assert.equal(longPages([page(`${words(300)}${beside}word`)], '').length, 1);
  assert.equal(longPages([], words(1201)).length, 1);
  assert.equal(
    longPages(
      Array.from({ length: 36 }, () => page('')),
      '',
    ).length,
    1,
  );
  assert.equal(
    longPages(
      Array.from({ length: 35 }, () => page('')),
      '',
    ).length,
    0,
  );
});

const MAX_TERMS = 40;

/** The terms of the glossary of CONTRIBUTING.md. */
function termsOf(contributing: string): string[] {
  const glossary = contributing.split(/^## /m).find((section) => section.startsWith('Glossary\n')) ?? '';
  const rows = [...glossary.matchAll(/^\| (.+?) \|/gm)].map(([, term]) => term!);
  return rows.filter((term) => term !== 'Term' && term !== '---');
}

test('the glossary is short and has each term once', () => {
  const terms = termsOf(readText('CONTRIBUTING.md'));
  assert.ok(terms.includes('partner') && terms.length <= MAX_TERMS, `${terms.length} terms`);
  assert.equal(new Set(terms).size, terms.length);
});

test('the terms of a glossary end with its section', () => {
  const table = (...terms: string[]): string =>
    ['| Term | Meaning |', '| --- | --- |', ...terms.map((term) => `| ${term} | x |`)].join('\n');
  const page = `## A\n${table('a')}\n## Glossary\n${table('b', 'c')}\n## D\n${table('d')}\n`;
  assert.deepEqual(termsOf(page), ['b', 'c']);
  assert.deepEqual(termsOf(`## Glossary\n${table('b')}`), ['b']);
});

test('a dead link is caught', () => {
  assert.equal(deadLinks({ path: 'docs/x.md', text: '[a](nowhere.md) [b](../README.md#top)' }).length, 1);
});

// ---------------------------------------------------------------------------
// Routes, as Fastify knows them

type Route = { method: string; url: string; permission: string | undefined; operationId: string | undefined };

const OPEN_ROUTES =
  /^\/(?:livez|readyz|metrics|checkout\/:token|t\/:token(?:\/visit\.ics|\/messages)?|certifications\/:token|payments\/:gateway\/notifications)$/;
/** The pages for developers: no part of their paths is read from the request. */
const READING = /^\/(?:openapi(?:\.operator)?\.json|llms\.txt|docs(?:\/[\w./-]+)?)$/;
/** The console, the portal and the crew's page: one page at every address, and the files that it was bundled into, by their names. */
const CONSOLE = /^\/(?:console|portal|crew)(?:\/\*|\/assets\/:name|\/worker\.js)?$/;

function routeFaults(routes: readonly Route[]): string[] {
  const known: readonly string[] = PERMISSIONS;
  const seen = new Set<string>();
  return routes.flatMap(({ method, url, permission, operationId }) => {
    const name = `${method} ${url}`;
    if (!/^\/(?:v1|operator|portal\/api|crew\/api)\//.test(url))
      return OPEN_ROUTES.test(url) || (isRead(method) && (READING.test(url) || CONSOLE.test(url)))
        ? []
        : [`${name}: nowhere`];
    const faults: string[] = [];
    if (operationId === undefined) faults.push(`${name}: no operationId`);
    // Each API has its own document.
    const document = url.split('/')[1];
    // HEAD is the GET without its body: one operation.
    if (method !== 'HEAD' && seen.has(`${document} ${operationId}`))
      faults.push(`${name}: operationId ${operationId} is taken`);
    seen.add(`${document} ${operationId}`);
    if (url.startsWith('/v1/') && !known.includes(permission ?? '')) faults.push(`${name}: no permission`);
    return faults;
  });
}

test('every route has a unique operationId in its API, and every partner route a permission', async (t) => {
  const { deps } = await startTestService(t);
  const app = buildApp(deps, ['partner', 'operator']);
  t.after(() => app.close());
  const routes: Route[] = [];
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const { permission } = (config ?? {}) as { permission?: string };
    const { operationId } = (schema ?? {}) as { operationId?: string };
    routes.push({ method: String(method), url, permission, operationId });
  });
  await app.ready();
  assert.ok(
    routes.some(({ url }) => url.startsWith('/v1/')) &&
      routes.some(({ url }) => url.startsWith('/operator/')),
  );
  assert.deepEqual(routeFaults(routes), []);
});

test('a route without operationId or permission is caught', () => {
  const good = {
    method: 'GET',
    url: '/v1/partners/services',
    permission: 'partner_services_read',
    operationId: 'listServices',
  };
  assert.deepEqual(routeFaults([good]), []);
  assert.equal(routeFaults([good, good]).length, 1);
  assert.deepEqual(routeFaults([good, { ...good, url: '/operator/services' }]), []);
  assert.equal(routeFaults([{ ...good, permission: undefined }]).length, 1);
  assert.equal(routeFaults([{ ...good, permission: 'partner_everything' }]).length, 1);
  assert.equal(routeFaults([{ ...good, operationId: undefined }]).length, 1);
  assert.equal(routeFaults([{ ...good, url: '/elsewhere' }]).length, 1);
  assert.deepEqual(routeFaults([{ ...good, url: '/docs/errors.md' }]), []);
  assert.equal(routeFaults([{ ...good, url: '/docs/errors', method: 'POST' }]).length, 1);
  assert.equal(
    routeFaults([
      { ...good, url: '/docs/:name' },
      { ...good, url: '/docs/*' },
      { ...good, url: '/console/files/*' },
    ]).length,
    3,
  );
});
