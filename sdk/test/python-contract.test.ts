import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pythonFiles } from '../../scripts/print-python-contract.ts';
import type { OpenApi } from '../../scripts/sdk-document.ts';

const read = (): OpenApi =>
  JSON.parse(readFileSync(new URL('../../openapi/partner.json', import.meta.url), 'utf8'));

test('the printed files of the Python SDK match openapi/partner.json', () => {
  for (const [name, text] of Object.entries(pythonFiles(read()))) {
    const file = new URL(`../../sdk-python/src/partner_booking/${name}`, import.meta.url);
    assert.ok(readFileSync(file, 'utf8') === text, `print ${name} anew: npm run generate`);
  }
});

test('a change of the document changes the printed files, and an unsupported one stops the printing', () => {
  const document = read();
  document.components.schemas.Booking!.properties!.pets = { type: ['integer', 'null'], description: 'Cats' };
  assert.match(pythonFiles(document)['contract.py']!, / {4}# Cats\n {4}pets: NotRequired\[int \| None\]\n/);
  document.components.schemas.Booking!.properties!.pets = { type: 'cat' };
  assert.throws(() => pythonFiles(document), /BookingPets has the unknown type cat/);
});
