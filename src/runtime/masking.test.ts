import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskJson, maskText, maskUrl, withoutLastNumber } from './masking.ts';

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
  const { text, isCut } = maskJson(
    JSON.stringify({
      phone: 'no number "at" all',
      Phone_Number: ['+966501234567'],
      name: 'Noura',
      latitude: '24.7',
      longitude: 46.6,
      nested: [{ phone: null, lat: -1.5e3, notes: 'ring 0501234567' }],
      address: { directions: { gate: [{ phone: 1 }], side: 'left' }, instructions: {}, city: 'Riyadh' },
      secret: 'whsec_x',
      numbers: [966501234567, 501234567, 24.713, 150.25, 20, 1795323600000, -0.5, 1.25],
      '966501234567': true,
      'call 0501234567': false,
      ['__proto__']: 'kept',
    }),
  );
  assert.equal(isCut, false);
  assert.deepEqual(JSON.parse(text), {
    phone: '•••',
    Phone_Number: '•••',
    name: 'Noura',
    latitude: '•••',
    longitude: '•••',
    nested: [{ phone: null, lat: '•••', notes: 'ring 0501•••' }],
    address: { directions: '•••', instructions: '•••', city: 'Riyadh' },
    secret: '•••',
    numbers: ['9665•••', '5012•••', '•••', 150.25, 20, 1795323600000, -0.5, 1.25],
    '9665•••': true,
    'call 0501•••': false,
    ['__proto__']: 'kept',
  });
  for (const json of ['null', 'true', '"text"', '5', '[]', '{}', '[[null]]', ' { "a" : [ 1 , "ä" ] } '])
    assert.equal(maskJson(json).text, json);
});

test('JSON as it is sent is masked: spaces, escapes, numbers in any form, depth', () => {
  const sent = String.raw`{ "ph\u006fne" : "x", "n": "\u0660\u0665\u0660 \u0661\u0662\u0663\n\u0664\u0665\u0666\u0667", "m": [5.01234567e8, 966501234567.0] }`;
  assert.deepEqual(JSON.parse(maskJson(sent).text), { phone: '•••', n: '٠٥٠ •••', m: ['•••e8', '9665•••'] });
  const deep = `${'['.repeat(50_000)}"0501234567"${']'.repeat(50_000)}`;
  assert.ok(maskJson(deep).text === deep.replace('234567', '•••'));
});

test('long JSON is cut to JSON, and no number is cut in two', () => {
  const body = {
    'a "name"': { phone: ['+966501234567', { more: 1 }], notes: 'ring\n"x" \\ 0501234567 \u0001 now' },
    numbers: [966501234567, -1.25, [], {}],
    last: [true, null, 'e'],
  };
  const json = JSON.stringify(body);
  const short = maskJson(json).text;
  for (let most = 1; most < json.length; most++) {
    const { text, isCut } = maskJson(json, most);
    assert.equal(isCut, true);
    assert.ok(!/\d{5}/.test(text), text);
    if (text === '') continue;
    // Each value of it is in the whole one, or begins it.
    const values = JSON.stringify(JSON.parse(text)).replaceAll(/"?[\]}]*$/g, '');
    assert.ok(short.startsWith(values), `${text} of ${short}`);
  }
  for (let most = 5; most < 40; most++) {
    const { text } = maskJson(JSON.stringify(`ring ${'x'.repeat(10)} 0501234567 now`), most);
    assert.ok(digitsOf(text).length <= 4, text);
  }
  assert.equal(withoutLastNumber('ring +966 50 12'), 'ring');
  assert.equal(withoutLastNumber('no number'), 'no number');
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
