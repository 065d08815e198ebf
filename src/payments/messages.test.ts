import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PaymentLinkText, paymentLinkMessage } from './messages.ts';

/** The 7-bit alphabet of GSM 03.38; characters of its extension table take two places. */
const GSM =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà';
const GSM_EXTENSION = '^{}\\[~]|€';

/** The number of SMS segments: 160 (153) places of 7 bits, or 70 (67) of UCS-2 with any other letter. */
function smsSegments(text: string): number {
  const letters = [...text];
  const isGsm = letters.every((letter) => GSM.includes(letter) || GSM_EXTENSION.includes(letter));
  const places = isGsm
    ? letters.length + letters.filter((letter) => GSM_EXTENSION.includes(letter)).length
    : text.length;
  const [alone, inParts] = isGsm ? [160, 153] : [70, 67];
  return places <= alone ? 1 : Math.ceil(places / inParts);
}

const PARTS = {
  language: 'both',
  partnerName: 'Riyadh Homes',
  serviceName: { en: 'Deep cleaning (3 hours)', ar: 'تنظيف عميق (3 ساعات)' },
  date: '2026-11-24',
  time: '09:00',
  amount: '150.00',
  url: 'https://checkout.moyasar.com/invoices/73bda482-5f95-4f59-87d3-3fe3615c54bc?lang=en',
  // 22:30 UTC is the next day in Riyadh.
  expiresAt: Date.parse('2026-11-22T22:30:15Z'),
  againAt: null,
} as const;

const SHORT = 'https://p.example/1';
const linesOf = (parts: Partial<PaymentLinkText>): string[] =>
  paymentLinkMessage({ ...PARTS, ...parts }).split('\n');

test('both languages, Arabic first, dates and times of Riyadh; the visit where there is room', () => {
  const pay = ['ادفع قبل', 'Pay by', '23/11 01:30', '150.00 SAR'];
  const visit = ['موعدك', 'Visit', '24/11 09:00'];
  assert.deepEqual(linesOf({}), ['Riyadh Homes', ...pay, PARTS.url]);
  assert.deepEqual(linesOf({ url: SHORT }), ['Riyadh Homes', ...visit, ...pay, SHORT]);
});

test('one language', () => {
  assert.deepEqual(linesOf({ language: 'en' }), [
    'Riyadh Homes',
    'Visit 24/11 09:00',
    'Deep cleaning (3 hours)',
    'Pay 150.00 SAR by 23/11 01:30',
    PARTS.url,
  ]);
  const arabic = { visit: 'موعدك 24/11 09:00', pay: 'ادفع 150.00 ر.س قبل 23/11 01:30' };
  assert.deepEqual(linesOf({ language: 'ar' }), ['Riyadh Homes', arabic.pay, PARTS.url]);
  const service = 'تنظيف عميق (3 ساعات)';
  const whole = ['Riyadh Homes', arabic.visit, service, arabic.pay, SHORT];
  assert.deepEqual(linesOf({ language: 'ar', url: SHORT }), whole);
  assert.equal(linesOf({ language: 'ar', url: SHORT, serviceName: { en: 'Deep', ar: null } })[2], 'Deep');
});

test('a link that is sent again is another text each time, or it would be dropped as a duplicate', () => {
  const again = (at: string) => linesOf({ url: SHORT, againAt: Date.parse(at) });
  assert.deepEqual(again('2026-11-22T06:05:00Z'), ['تذكير 09:05', ...linesOf({ url: SHORT })]);
  assert.equal(again('2026-11-22T06:05:01Z')[0], 'تذكير 09:05:01');
  assert.equal(linesOf({ language: 'en', againAt: PARTS.expiresAt })[0], 'Reminder 01:30:15');
});

test('two segments at the most: any language, the longest URL of the gateway, amount and names there are', () => {
  const names = [
    'Homes',
    'Cleaning and more '.repeat(9),
    'تنظيف المنازل والفلل '.repeat(9),
    '🧹'.repeat(90),
    '€'.repeat(90),
  ];
  for (const language of ['ar', 'en', 'both'] as const)
    for (const partnerName of names)
      for (const service of names)
        for (const amount of ['1.00', '9999999.99'])
          for (const url of [SHORT, PARTS.url])
            for (const againAt of [null, PARTS.expiresAt + 1_000]) {
              const serviceName = { en: service, ar: service };
              const text = paymentLinkMessage({
                ...PARTS,
                language,
                partnerName,
                serviceName,
                amount,
                url,
                againAt,
              });
              assert.ok(smsSegments(text) <= 2, text);
              for (const part of [`\n${url}`, amount, '23/11 01:30']) assert.ok(text.includes(part), text);
            }
});

test('no line mixes Arabic with Latin letters, whatever the name', () => {
  for (const name of ['تنظيف', 'Cleaning', 'Deep\n\u2029 cleaning\r\nhttps://elsewhere.example'])
    for (const language of ['ar', 'en', 'both'] as const) {
      const parts = {
        language,
        url: SHORT,
        partnerName: name,
        serviceName: { en: name, ar: 'تنظيف\n عميق' },
      };
      const lines = paymentLinkMessage({ ...PARTS, ...parts }).split(/[\n\r\u2028\u2029]/);
      for (const line of lines) assert.ok(!(/\p{Script=Arabic}/u.test(line) && /[A-Za-z]/.test(line)), line);
      assert.equal(lines.at(-1), SHORT);
      assert.doesNotMatch(lines.join('\n'), /\d-\d/, 'a date that would be shown backwards');
    }
});

test('a long name is cut between letters', () => {
  const named = (name: string): string => linesOf({ url: SHORT, partnerName: name })[0]!;
  assert.equal(named('x'.repeat(32)), 'x'.repeat(32));
  assert.equal(named('x'.repeat(33)), `${'x'.repeat(29)}...`);
  assert.equal(named('🧹'.repeat(50)), `${'🧹'.repeat(24)}...`);
});

test('segments of SMS', () => {
  assert.equal(smsSegments('x'.repeat(160)), 1);
  assert.equal(smsSegments('x'.repeat(161)), 2);
  assert.equal(smsSegments('x'.repeat(306)), 2);
  assert.equal(smsSegments('x'.repeat(307)), 3);
  assert.equal(smsSegments('€'.repeat(80)), 1);
  assert.equal(smsSegments('€'.repeat(81)), 2);
  assert.equal(smsSegments('ر'.repeat(70)), 1);
  assert.equal(smsSegments('ر'.repeat(71)), 2);
  assert.equal(smsSegments('ر'.repeat(134)), 2);
  assert.equal(smsSegments('ر'.repeat(135)), 3);
});
