import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Language, PAGES, retriesPage } from '../scripts/print-retries.ts';
import { ROUTES } from '../sdk/src/contract.ts';

const pages = Object.entries(PAGES) as [Language, string][];

test('the tables of docs/retries.md match the table of the SDKs, with every operation once', () => {
  for (const [language, path] of pages) {
    const page = readFileSync(path, 'utf8');
    assert.equal(retriesPage(page, language), page, 'write it anew: npm run generate');
    const rows = page.match(/^\| `(?:GET|POST|PATCH|PUT|DELETE) .*$/gm)!;
    assert.equal(new Set(rows.map((row) => row.split('`')[1])).size, Object.keys(ROUTES).length);
    assert.equal(rows.length, Object.keys(ROUTES).length);
    for (const row of rows) assert.equal(row.split(' | ').length, 3, row);
  }
});

test('a page without the place of the table is refused, and a changed row is found', () => {
  for (const [language, path] of pages) {
    const page = readFileSync(path, 'utf8');
    assert.throws(() => retriesPage('# Retries', language), /has no place for its table/);
    const spoilt = page.replace('| `POST /partners/holds` |', '| `POST /partners/holds` | no |');
    assert.notEqual(retriesPage(spoilt, language), spoilt);
  }
});
