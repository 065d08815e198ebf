import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CONTRACT, contractText, DOCUMENT, type Document } from '../../scripts/print-sdk-contract.ts';
import { ERROR_STATUS } from '../../src/errors.ts';
import { VERSION } from '../src/client.ts';
import type { ErrorCode } from '../src/contract.ts';

const SOURCES = new URL('../src/', import.meta.url);
const read = (): Document => JSON.parse(readFileSync(DOCUMENT, 'utf8'));

test('sdk/src/contract.ts is what openapi.json says', () => {
  assert.ok(readFileSync(CONTRACT, 'utf8') === contractText(read()), 'print it anew: npm run sdk:contract');
});

test('a change of the document changes what is printed', () => {
  const document = read();
  const before = contractText(document);
  document.components.schemas.Booking!.properties!.pets = {
    type: ['integer', 'null'],
    description: 'Cats */',
  };
  assert.match(contractText(document), /\/\*\* Cats \* \/ \*\/\n {2}pets\?: number \| null;/);
  document.paths['/partners/bookings']!.get!.operationId = 'listOrders';
  assert.match(contractText(document), /iterateOrders\(query\?: ListOrdersQuery/);
  assert.doesNotMatch(before, /pets|Orders/);
});

test('what cannot be printed stops the printing', () => {
  const broken = (change: (document: Document) => void): (() => string) => {
    const document = read();
    change(document);
    return () => contractText(document);
  };
  const { schemas } = read().components;
  assert.ok(schemas.Booking);
  assert.throws(
    broken(({ components }) => {
      Object.assign(components.schemas.Booking!.properties!.status!, { oneOf: [] });
    }),
    /keyword oneOf/,
  );
  assert.throws(
    broken(({ components }) => {
      components.schemas.Booking!.properties!.timeslot = { $ref: '#/components/schemas/Nothing' };
    }),
    /Nothing is not in the document/,
  );
  assert.throws(
    broken(({ paths }) => {
      paths['/partners/bookings']!.get!.operationId = 'bookings';
    }),
    /a list is called/,
  );
  assert.throws(
    broken(({ paths }) => {
      paths['/partners/bookings']!.post!.responses['409'] = {};
    }),
    /409 names no code/,
  );
});

test('the codes are those of the service', () => {
  const text = readFileSync(CONTRACT, 'utf8');
  const [, union] = /export type ErrorCode =\n([^;]*);/.exec(text)!;
  const codes = [...union!.matchAll(/'(\w+)'/g)].map(([, code]) => code as ErrorCode);
  assert.ok(codes.length > 15);
  // All but those that only operators meet.
  const operators = ['CONFLICT', 'INVALID_TRANSITION'];
  assert.deepEqual(
    codes.toSorted(),
    Object.keys(ERROR_STATUS)
      .filter((code) => !operators.includes(code))
      .toSorted(),
  );
});

/** Of one platform only, or a package that would have to come along. */
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

test('what belongs to one platform is caught', () => {
  for (const text of [
    `import { createHmac } from 'node:crypto';`,
    `const undici = await import('undici');`,
    `import '../../src/clock.ts';`,
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

test('the version is that of the package, and there are no dependencies', () => {
  const pack = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  assert.equal(pack.version, VERSION);
  assert.deepEqual(
    Object.keys(pack).filter((key) => /dependencies/i.test(key)),
    [],
  );
});
