import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskText, maskUrl, maskValue, withoutLastNumber } from './masking.ts';

/** One number in every spelling; the digits that none of them may keep. */
const PHONES = [
  '+966501234567',
  '966501234567',
  '00966501234567',
  '0501234567',
  '501234567',
  '+966 50 123 4567',
  '+966 (0) 50-123-4567',
  '966 50 123 4567',
  '966-50-1234567',
  '9660501234567',
  '050-123-4567',
  '050 123 4567',
  '050.123.4567',
  '05 01 23 45 67',
  '0 5 0 1 2 3 4 5 6 7',
  '50 123 4567',
  '+\u200e966501234567',
  '\u202a+966\u00a050\u00a0123\u00a04567\u202c',
  '٠٥٠١٢٣٤٥٦٧',
  '+٩٦٦٥٠١٢٣٤٥٦٧',
  '٩٦٦٥٠١٢٣٤٥٦٧',
  '۰۵۰۱۲۳۴۵۶۷',
  '05٠١٢٣٤٥٦٧',
  '＋９６６５０１２３４５６７',
  '+9665012345678',
  '+442071234567',
  '0112345678',
];
const digitsOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll(/\D/g, '');

test('phones are masked in every spelling, anywhere', () => {
  for (const phone of PHONES) {
    for (const [before, after] of [
      ['call ', ' at the gate'],
      ['', ''],
      ['"', '"'],
      ['phone: must be in quotation marks: "', `", not ${phone}`],
      ['property ', ' should not exist'],
      ['/v1/partners/customers/', '/bookings'],
      ['(', ').'],
      ['a,', ',b'],
      ['order-', '-x'],
      ['property timeslot.', ' should not exist'],
    ] as const) {
      const masked = maskText(before + phone + after);
      assert.ok(digitsOf(masked).length <= 8, `${before}${phone}${after}: ${masked}`);
      assert.ok(masked.startsWith(before), masked);
      if (!after.includes(phone)) assert.ok(masked.includes('•••') && masked.endsWith(after), masked);
    }
  }
  for (const glued of [
    'phone966501234567',
    'x0501234567y',
    'tel:+966501234567',
    'a_966501234567_b',
    'phone_501234567',
  ])
    assert.ok(!maskText(glued).includes('234567'), glued);
  assert.equal(maskText('0501234567,0507654321'), '0501•••,0507•••');
  assert.equal(maskText('phone must not be 50123456 or 1234567'), 'phone must not be 5012••• or 1234•••');
});

test('coordinates are masked in every form', () => {
  for (const place of [
    '24.713612, 46.675312',
    '24.713612 46.675312',
    '24.713612,46.675312',
    '24.713 46.675',
    '24.713;46.675',
    '"24.713", "46.675"',
    '24.713612',
    '-24.7136',
    '24.713612N',
    'timeslot.24.987613',
    'geo:24.713612,46.675312',
    '24.7136/46.6753',
    '٢٤٫٧١٣٦١٢',
    '24°42\'49.0"N 46°40\'31.1"E',
  ]) {
    const masked = maskText(`at ${place} behind`);
    assert.match(masked, /^at \D+ behind$/, place);
  }
  assert.equal(
    maskText('latitude: must be in quotation marks: "24.71", not 24.71'),
    'latitude: must be in quotation marks: "•••", not •••',
  );
});

test('credentials are masked', () => {
  assert.equal(maskText('x-api-key pbs_test_0abcDEF is wrong'), 'x-api-key pbs_test_••• is wrong');
  assert.equal(maskText('pbs_portal_a-B pbs_link_c'), 'pbs_portal_••• pbs_link_•••');
  assert.equal(maskText('whsec_abc-DEF_1'), 'whsec_•••');
});

test('similar texts stay', () => {
  for (const text of [
    '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
    '12345678-1234-4123-8123-512345678901',
    '12345678-1234-4123-8123-966501234567',
    'booking 05012345-1234-4123-8123-966501234567 is not there',
    '2026-12-01T09:00:00+03:00',
    '2026-12-01T09:00:00.123456Z',
    'at 10:00 2026-12-01, or 2026-05-12 10:20:30',
    '05.12.2026 10:30 and 05/12/2026 10:30',
    'SA-0042, 150.00 SAR, 120 minutes, 1,250.50 SAR',
    'costs 501234567.00',
    'order-5012345678',
    'ORD512345678',
    'retry in 59 s',
    '1795323600000481-12',
    '1795323600000',
    'from 203.0.113.7 or 2001:db8::501:2345:6789',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '4bf92f3577b34da60501234567902473',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0_3 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0.6099.109 Safari/537.36',
    'python-requests/2.31.0',
    'hours must be 1.25, page 20 of 100, 10000 5000',
    'at Object.<anonymous> (file:///srv/src/http/edge.ts:1234:56)',
  ])
    assert.equal(maskText(text), text);
});

test('values of JSON are masked by field names and by form', () => {
  const { masked, isCut } = maskValue({
    phone: 'no number "at" all',
    Phone_Number: ['+966501234567'],
    name: 'Noura',
    latitude: '24.7',
    longitude: 46.6,
    nested: [{ phone: null, lat: -1.5e3, notes: 'ring 0501234567' }],
    secret: 'whsec_x',
    numbers: [966501234567, 501234567, 24.713, 150.25, 20, 1795323600000, -0.5, 1.25],
    '966501234567': true,
    'call 0501234567': false,
    ['__proto__']: 'kept',
  });
  assert.equal(isCut, false);
  assert.deepEqual(JSON.parse(JSON.stringify(masked)), {
    phone: '•••',
    Phone_Number: '•••',
    name: 'Noura',
    latitude: '•••',
    longitude: '•••',
    nested: [{ phone: null, lat: '•••', notes: 'ring 0501•••' }],
    secret: '•••',
    numbers: ['9665•••', '5012•••', '•••', 150.25, 20, 1795323600000, -0.5, 1.25],
    '9665•••': true,
    'call 0501•••': false,
    ['__proto__']: 'kept',
  });
  for (const value of [null, undefined, true, 'text', 5, [], {}, [[null]]])
    assert.deepEqual(JSON.stringify(maskValue(value).masked), JSON.stringify(value));
});

test('a long value is processed only up to its limit, and no number is cut in two', () => {
  const long = maskValue({ items: Array.from({ length: 100_000 }, () => 'abcdefgh'), more: 1 }, 1_000);
  assert.equal(long.isCut, true);
  assert.ok((long.masked as { items: string[] }).items.length < 200);
  assert.ok(!('more' in (long.masked as object)));
  for (let most = 5; most < 40; most++) {
    const { masked } = maskValue(`ring ${'x'.repeat(10)} 0501234567 now`, most);
    assert.ok(digitsOf(String(masked)).length <= 4, String(masked));
  }
  assert.equal(withoutLastNumber('ring +966 50 12'), 'ring');
  assert.equal(withoutLastNumber('no number'), 'no number');
  let deep: unknown = '0501234567';
  for (let level = 0; level < 50_000; level++) deep = [deep];
  assert.equal(maskValue(deep).isCut, true);
});

test('a URL keeps its query without the key, or only its path', () => {
  const url = '/v1/partners/x?limit=2&api_key=pbs_test_abc&lat=24.7&lng=46.6&q=%2B966501234567&a%70i_key=1';
  assert.equal(maskUrl(url, true, 200), '/v1/partners/x?limit=2&lat=•••&lng=•••&q=+966•••');
  assert.equal(maskUrl(url, false, 200), '/v1/partners/x');
  for (const phone of [
    '0501234567',
    '%39%36%36501234567',
    '%2B966501234567',
    '%252B966501234567',
    '+966%2050%20123%204567',
    '%D9%A0%D9%A5%D9%A0%D9%A1%D9%A2%D9%A3%D9%A4%D9%A5%D9%A6%D9%A7',
  ])
    for (const place of [
      `/v1/customers/${phone}`,
      `/v1/x?${phone}`,
      `/v1/x?q=${phone}`,
      `/v1/x?a=b&${phone}=1`,
    ])
      assert.ok(digitsOf(decodeURIComponent(maskUrl(place, true, 200))).length <= 6, place);
  assert.equal(
    maskUrl('/v1/x?near=24.7136+46.6753&to=24.7136%2C46.6753', true, 200),
    '/v1/x?near=•••&to=•••',
  );
  assert.equal(maskUrl('/v1/%zz?%zz=1', true, 200), '/v1/%zz?%zz=1');
  assert.equal(maskUrl('/v1/a%20b?c=d+e', true, 200), '/v1/a%20b?c=d+e');
  assert.equal(maskUrl('/v1/partners', true, 5), '/v1/p');
});
