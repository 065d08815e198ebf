import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskJson, maskText, maskUrl } from './masking.ts';

test('phones, places and credentials go, wherever they stand', () => {
  for (const phone of [
    '+966501234567',
    '+966 50 123 4567',
    '00966501234567',
    '0501234567',
    '050-123-4567',
    '050 123 4567',
    '501234567',
    '٠٥٠١٢٣٤٥٦٧',
    '+442071234567',
  ]) {
    const masked = maskText(`call ${phone} at the gate`);
    assert.match(masked, /^call .{4}••• at the gate$/, phone);
  }
  assert.equal(maskText('at 24.713552, 46.675296 behind'), 'at ••• behind');
  assert.equal(maskText('x-api-key pbs_test_0abcDEF is wrong'), 'x-api-key pbs_test_••• is wrong');
  assert.equal(maskText('whsec_abc-DEF_1'), 'whsec_•••');
});

test('what only looks like a number stays', () => {
  for (const text of [
    '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
    '12345678-1234-4123-8123-512345678901',
    '2026-12-01T09:00:00+03:00',
    'SA-0042, 150.00 SAR, 120 minutes',
    'order-5012345678',
    'retry in 59 s',
  ])
    assert.equal(maskText(text), text);
});

test('in JSON, fields go by their names, and it stays JSON', () => {
  const masked = maskJson(
    JSON.stringify({
      phone: 'no number "at" all',
      name: 'Noura',
      latitude: '24.7136',
      longitude: 46.6753,
      nested: [{ phone: null, lat: -1.5e3, notes: 'ring 0501234567' }],
      secret: 'whsec_x',
    }),
  );
  assert.deepEqual(JSON.parse(masked), {
    phone: '•••',
    name: 'Noura',
    latitude: '•••',
    longitude: '•••',
    nested: [{ phone: null, lat: '•••', notes: 'ring 0501•••' }],
    secret: '•••',
  });
});

test('a URL keeps its query without the key; or the path alone', () => {
  const url = '/v1/partners/x?limit=2&api_key=pbs_test_abc&lat=24.7&lng=46.6&q=%2B966501234567&a%70i_key=1';
  assert.equal(maskUrl(url, true, 200), '/v1/partners/x?limit=2&lat=•••&lng=•••&q=+966•••');
  assert.equal(maskUrl(url, false, 200), '/v1/partners/x');
  assert.equal(maskUrl('/v1/partners/0501234567', false, 200), '/v1/partners/0501•••');
  assert.equal(maskUrl('/v1/%zz?%zz=1', true, 200), '/v1/%zz?%zz=1');
  assert.equal(maskUrl('/v1/partners', true, 5), '/v1/p');
});
