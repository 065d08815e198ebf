import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { configurationPage } from '../scripts/print-configuration.ts';
import { parseConfig } from '../src/program/config.ts';
import variables from '../src/program/variables.json' with { type: 'json' };

test('the page of configuration is the one that the variables print', () => {
  assert.equal(
    readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8'),
    configurationPage(),
    'npm run generate',
  );
});

type Documented = readonly (readonly [name: string, { fallback: string }])[];

/** Variables whose documented default, a single value, is not the one that an unset variable has. */
function wrongDefaults(documented: Documented): string[] {
  return documented
    .filter(([name, { fallback }]) => {
      const value = /^`([^`]+)`$/.exec(fallback)?.[1];
      // The defaults of a deployment with a database, and those taken from another variable.
      if (value === undefined || Object.hasOwn(variables, value)) return false;
      return !isDeepStrictEqual(parseConfig({ [name]: value }), parseConfig({}));
    })
    .map(([name]) => name);
}

test('the documented defaults are those of the program', () => {
  assert.deepEqual(wrongDefaults(Object.entries(variables)), []);
});

test('a wrong default is caught', () => {
  const documented: Documented = [
    ['PORT', { fallback: '`3001`' }],
    ['ROLES', { fallback: '`api,worker`' }],
    ['DATABASE_POOL', { fallback: '`10`' }],
    ['REQUIRE_HTTPS', { fallback: '`true`' }],
  ];
  assert.deepEqual(wrongDefaults(documented), ['PORT', 'REQUIRE_HTTPS']);
});
