import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type OpenApi, sdkDocument } from '../../scripts/sdk-document.ts';
import { ERROR_STATUS } from '../../src/base/errors.ts';
import { VERSION } from '../src/client.ts';
import { ROUTES } from '../src/contract.ts';

const SOURCES = new URL('../src/', import.meta.url);
const DOCUMENT = new URL('../../openapi/partner.json', import.meta.url);
const read = (): OpenApi => JSON.parse(readFileSync(DOCUMENT, 'utf8'));

// .ci/run compares the types with openapi/partner.json, because their printer is in tools/.
test('the routes are those of openapi/partner.json', () => {
  const routes = Object.entries(ROUTES).map(([name, { method, path }]) => [name, method, path]);
  assert.deepEqual(
    routes,
    sdkDocument(read()).operations.map(({ name, method, path }) => [name, method, path]),
  );
});

test('a document that SDKs cannot express stops the printing', () => {
  const broken = (change: (document: OpenApi) => void): (() => unknown) => {
    const document = read();
    change(document);
    return () => sdkDocument(document);
  };
  assert.ok(sdkDocument(read()).schemas.Booking);
  assert.throws(
    broken(({ components }) => {
      components.schemas.Booking!.properties!.timeslot = { $ref: '#/components/schemas/Nothing' };
    }),
    /Nothing is not in the document/,
  );
  assert.throws(
    broken(({ paths }) => {
      paths['/partners/bookings']!.get!.operationId = 'listOrders';
    }),
    /listOrders has no name/,
  );
  assert.throws(
    broken(({ paths }) => {
      paths['/partners/bookings']!.post!.responses['409'] = {};
    }),
    /409 names no code/,
  );
});

test('a field named like a keyword is kept', () => {
  const document = read();
  document.components.schemas.Booking!.properties!.format = { type: 'string', enum: ['a'] };
  const { properties } = sdkDocument(document).schemas.Booking!;
  assert.deepEqual(properties!.format, { type: 'string', enum: ['a'] });
  assert.deepEqual(Object.keys(properties!.bookingId!).sort(), ['description', 'type']);
});

test('the codes are those of the service', () => {
  const { codes } = sdkDocument(read());
  assert.ok(codes.length > 15);
  assert.deepEqual(codes.toSorted(), Object.keys(ERROR_STATUS).toSorted());
});

/** Features of one platform only, and dependencies. */
function foreign(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  const words =
    code.match(/\b(?:process|Buffer|require|__dirname|__filename|Deno|Bun|window|setImmediate)\b\s*[.([]/g) ??
    [];
  const imports = [...code.matchAll(/\b(?:from\s|import\s*\(?)\s*['"]([^'"]+)['"]/g)].map(
    ([, name]) => name!,
  );
  return [...words, ...imports.filter((name) => !/^\.\/[a-z-]+\.ts$/.test(name))];
}

test('the source runs on any platform and needs no package', () => {
  const files = readdirSync(SOURCES);
  assert.ok(files.length >= 8);
  for (const file of files) assert.deepEqual(foreign(readFileSync(new URL(file, SOURCES), 'utf8')), [], file);
});

test('platform-specific code is caught', () => {
  for (const text of [
    `import { createHmac } from 'node:crypto';`,
    `const undici = await import('undici');`,
    `import '../../src/base/clock.ts';`,
    'const home = process.env.HOME;',
    `Buffer.from('x')`,
    `require('x')`,
    'Deno.readFile()',
    'window.fetch()',
  ])
    assert.equal(foreign(text).length, 1, text);
  assert.deepEqual(
    foreign(`import { x } from './retries.ts'; // process.env\nconst processed = buffer.x;`),
    [],
  );
});

/** Methods in the README's table, as `namespace.method`. */
const listedIn = (readme: string): string[] =>
  [...readme.matchAll(/^\| `([\w.]+)` \| (`\w+`(?:, `\w+`)*)(?:: in a sandbox only)? \|$/gm)].flatMap(
    ([, namespace, methods]) => methods!.split(', ').map((method) => `${namespace}.${method.slice(1, -1)}`),
  );

test('the READMEs have every operation in their tables', () => {
  const wanted = [...Object.keys(ROUTES), 'bookings.exportBytes', 'events.follow'].sort();
  const read = (path: string) => listedIn(readFileSync(new URL(path, import.meta.url), 'utf8')).sort();
  assert.deepEqual(read('../README.md'), wanted);
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  assert.deepEqual(read('../../sdk-python/README.md'), wanted.map(snake).sort());
});

test('the version is that of the package, and there are no dependencies', () => {
  const pack = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  assert.equal(pack.version, VERSION);
  assert.deepEqual(
    Object.keys(pack).filter((key) => /dependencies/i.test(key)),
    [],
  );
});
