import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { configurationPage } from '../scripts/print-configuration.ts';
import { parseConfig, VARIABLES } from '../src/program/config.ts';

test('the page of configuration is the one that the variables print', () => {
  assert.equal(
    readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8'),
    configurationPage(),
    'npm run generate',
  );
});

type Documented = readonly (readonly [name: string, readonly [fallback: string, meaning: string]])[];

/** Variables whose documented default, a single value, is not the one that an unset variable has. */
function wrongDefaults(variables: Documented): string[] {
  return variables
    .filter(([name, [fallback]]) => {
      const value = /^`([^`]+)`$/.exec(fallback)?.[1];
      // The defaults of a deployment with a database, and those taken from another variable.
      if (value === undefined || Object.hasOwn(VARIABLES, value)) return false;
      return !isDeepStrictEqual(parseConfig({ [name]: value }), parseConfig({}));
    })
    .map(([name]) => name);
}

test('the documented defaults are those of the program', () => {
  assert.deepEqual(wrongDefaults(Object.entries(VARIABLES)), []);
});

test('a wrong default is caught', () => {
  const documented: Documented = [
    ['PORT', ['`3001`', '']],
    ['ROLES', ['`api,worker`', '']],
    ['DATABASE_POOL', ['`10`', '']],
    ['REQUIRE_HTTPS', ['`true`', '']],
  ];
  assert.deepEqual(wrongDefaults(documented), ['PORT', 'REQUIRE_HTTPS']);
});
