import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paymentLinkMessage } from './messages.ts';

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

test('both languages, Arabic first, dates and times of Riyadh', () => {
  assert.equal(
    paymentLinkMessage(PARTS),
    [
      'Riyadh Homes',
      'موعدك 24/11/2026 الساعة 09:00، المبلغ 150.00 ر.س. ادفع قبل 23/11 01:30',
      'تنظيف عميق (3 ساعات)',
      'Visit 24 Nov 2026 09:00, 150.00 SAR. Pay by 23 Nov 01:30',
      'Deep cleaning (3 hours)',
      PARTS.url,
    ].join('\n'),
  );
});

test('one language', () => {
  assert.doesNotMatch(paymentLinkMessage({ ...PARTS, language: 'en' }), /\p{Script=Arabic}/u);
  const arabic = paymentLinkMessage({ ...PARTS, language: 'ar' });
  assert.match(arabic, /150\.00 ر\.س/);
  assert.doesNotMatch(arabic, /SAR|Deep/);
  assert.match(arabic, /^تنظيف عميق \(3 ساعات\)$/m);
});

test('a service without an Arabic name is said in English, once', () => {
  const text = paymentLinkMessage({ ...PARTS, serviceName: { en: 'Deep cleaning', ar: null } });
  assert.deepEqual(text.split('\n').slice(2), [
    'Visit 24 Nov 2026 09:00, 150.00 SAR. Pay by 23 Nov 01:30',
    'Deep cleaning',
    PARTS.url,
  ]);
  const arabic = paymentLinkMessage({
    ...PARTS,
    language: 'ar',
    serviceName: { en: 'Deep cleaning', ar: null },
  });
  assert.match(arabic, /^Deep cleaning$/m);
});

test('a link that is sent again is another text each time, or it would be dropped as a duplicate', () => {
  const first = paymentLinkMessage(PARTS);
  const again = paymentLinkMessage({ ...PARTS, againAt: Date.parse('2026-11-22T06:05:00Z') });
  const later = paymentLinkMessage({ ...PARTS, againAt: Date.parse('2026-11-22T06:05:01Z') });
  assert.equal(again, `تذكير 09:05\n${first}`);
  assert.equal(later, `تذكير 09:05:01\n${first}`);
  const english = paymentLinkMessage({ ...PARTS, language: 'en', againAt: PARTS.expiresAt });
  assert.match(english, /^Reminder 01:30:15\nRiyadh Homes\nVisit/);
});

test('four segments at the most: the longest URL of the gateway, amount and name there are', () => {
  const longest = {
    ...PARTS,
    amount: '9999999999.99',
    partnerName: 'Cleaning and more '.repeat(9),
    serviceName: { en: 'Deep cleaning of villas '.repeat(9), ar: 'تنظيف عميق للفلل الكبيرة '.repeat(9) },
  };
  const text = paymentLinkMessage(longest);
  assert.ok(smsSegments(text) <= 4, `${text.length} letters`);
  // Sent again, it may take one more.
  assert.ok(smsSegments(paymentLinkMessage({ ...longest, againAt: PARTS.expiresAt })) <= 5);
  assert.equal(smsSegments(paymentLinkMessage({ ...PARTS, language: 'en' })), 2);
});

test('no line mixes Arabic with Latin letters, whatever the name', () => {
  for (const name of ['تنظيف', 'Cleaning', 'Deep\n\u2029 cleaning\r\nhttps://elsewhere.example']) {
    const parts = { ...PARTS, partnerName: name, serviceName: { en: name, ar: 'تنظيف\n عميق' } };
    const lines = paymentLinkMessage(parts).split(/[\n\r\u2028\u2029]/);
    assert.equal(lines.length, 6);
    for (const line of lines) assert.ok(!(/\p{Script=Arabic}/u.test(line) && /[A-Za-z]/.test(line)), line);
    assert.equal(lines[5], PARTS.url);
  }
});

test('Arabic lines have no date that would be shown backwards', () => {
  assert.doesNotMatch(paymentLinkMessage({ ...PARTS, language: 'ar', url: 'https://p.example/1' }), /\d-\d/);
});

test('a long name is cut between letters', () => {
  const url = 'https://p.example/1';
  const cut = (en: string): string =>
    paymentLinkMessage({ ...PARTS, url, serviceName: { en, ar: null } }).split('\n')[3]!;
  assert.equal(cut('x'.repeat(32)), 'x'.repeat(32));
  assert.equal(cut('x'.repeat(33)), `${'x'.repeat(29)}...`);
  assert.equal(cut('🧹'.repeat(50)), `${'🧹'.repeat(29)}...`);
});

test('what short names leave free is for the long one', () => {
  const shown = (partnerName: string, ar: string): string[] =>
    paymentLinkMessage({ ...PARTS, partnerName, serviceName: { ...PARTS.serviceName, ar } }).split('\n');
  assert.equal(shown('Homes', 'ت'.repeat(50))[2]!.length, 268 - shown('Homes', '').join('\n').length);
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
