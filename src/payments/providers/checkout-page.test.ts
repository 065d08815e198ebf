import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { chooseLanguage } from '../../http/bilingual-pages.ts';
import { type CheckoutView, checkoutPage } from './checkout-page.ts';

const BOOKED = {
  partner: 'Riyadh Homes',
  service: { en: 'Deep cleaning', ar: 'تنظيف عميق' },
  date: '2026-11-22',
  startAt: '09:00',
  endAt: '11:00',
  endsAtNextDay: false,
  amount: '150.00',
  reference: 'SA-0042',
};
const OPEN = {
  ...BOOKED,
  state: 'open',
  expiresAt: Date.parse('2026-11-21T21:30:59Z'), // 22 November, 00:30:59 in Riyadh
  declined: false,
} as const;
const VIEWS: CheckoutView[] = [
  OPEN,
  { ...OPEN, declined: true },
  { ...BOOKED, state: 'paid' },
  { ...BOOKED, state: 'failed' },
  { ...BOOKED, state: 'expired' },
  { ...BOOKED, state: 'canceled' },
  { state: 'unknown' },
];
const LANGUAGES = ['ar', 'en'] as const;

/** The visible text: no style, no tags, white space as one space. */
function textOf(html: string): string {
  return html
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}

const text = (view: CheckoutView, language: 'ar' | 'en'): string => textOf(checkoutPage(view, language).html);

test('each state has its status, and its own page in each language', () => {
  assert.deepEqual(
    VIEWS.map((view) => checkoutPage(view, 'en').status),
    [200, 200, 200, 410, 410, 410, 404],
  );
  const titles = LANGUAGES.flatMap((language) =>
    VIEWS.map((view) => /<title>(.+)<\/title>/.exec(checkoutPage(view, language).html)?.[1]),
  );
  assert.equal(new Set(titles).size, 2 * VIEWS.length, titles.join(', '));
});

test('headers: the language, nothing stored, nothing loaded, nothing framed', () => {
  for (const language of LANGUAGES) {
    for (const view of VIEWS) {
      const { html, headers } = checkoutPage(view, language);
      const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
      const digest = createHash('sha256').update(style).digest('base64');
      assert.deepEqual(headers, {
        'content-type': 'text/html; charset=utf-8',
        'content-language': language,
        'cache-control': 'no-store',
        'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        vary: 'accept-language',
      });
      assert.doesNotMatch(html, /<script|<img|<link|\bsrc=|style=|url\(|@import|https?:/);
      assert.match(html, language === 'ar' ? /<html lang="ar" dir="rtl">/ : /<html lang="en" dir="ltr">/);
    }
  }
});

test('a page is smaller than 8 KiB, with the longest names too', () => {
  const partner = 'تنظيف '.repeat(33).slice(0, 200);
  const service = { en: partner, ar: partner };
  for (const language of LANGUAGES) {
    for (const view of VIEWS) {
      const { html } = checkoutPage(
        view.state === 'unknown' ? view : { ...view, partner, service },
        language,
      );
      assert.ok(Buffer.byteLength(html) < 8192, `${view.state} ${language}: ${Buffer.byteLength(html)}`);
    }
  }
});

test('date, time, amount and reference, in the language of the page', () => {
  for (const view of VIEWS) {
    if (view.state === 'unknown') continue;
    const english = text(view, 'en');
    for (const part of [
      'Riyadh Homes',
      'Deep cleaning',
      'Sunday, 22 November 2026',
      '09:00 to 11:00',
      'SA-0042',
      '150.00 SAR',
    ]) {
      assert.ok(english.includes(part), `${view.state}: ${part} is not in ${english}`);
    }
    const arabic = text(view, 'ar');
    for (const part of [
      'Riyadh Homes',
      'تنظيف عميق',
      'الأحد، 22 نوفمبر 2026',
      'من 09:00 إلى 11:00',
      'SA-0042',
      '150.00 ر.س',
    ]) {
      assert.ok(arabic.includes(part), `${view.state}: ${part} is not in ${arabic}`);
    }
    assert.doesNotMatch(english, /تنظيف/);
    assert.doesNotMatch(arabic, /Deep cleaning/);
    assert.doesNotMatch(english + arabic, /next day|اليوم التالي/);
    // Digits are those of the message that brought the link.
    assert.doesNotMatch(arabic, /[٠-٩۰-۹]/);
  }
});

test('a slot that ends after midnight says so', () => {
  const late = { ...OPEN, startAt: '22:00', endAt: '01:00', endsAtNextDay: true };
  assert.ok(text(late, 'en').includes('22:00 to 01:00 (next day)'));
  assert.ok(text(late, 'ar').includes('من 22:00 إلى 01:00 (اليوم التالي)'));
});

test('the end of the link is told in Riyadh time, to the minute that has begun', () => {
  assert.ok(text(OPEN, 'en').includes('valid until Sunday, 22 November 2026, 00:30 (Riyadh time)'));
  assert.ok(text(OPEN, 'ar').includes('صالح حتى الأحد، 22 نوفمبر 2026، الساعة 00:30 بتوقيت الرياض'));
});

test('only an open link has a form, and only a declined try is told of', () => {
  for (const language of LANGUAGES) {
    for (const view of VIEWS) {
      const { html } = checkoutPage(view, language);
      const outcomes = [...html.matchAll(/<button [^>]*name="outcome" value="(\w+)"/g)].map(
        ([, value]) => value,
      );
      assert.deepEqual(outcomes, view.state === 'open' ? ['paid', 'declined', 'failed'] : []);
      assert.equal(html.includes('<form method="post">'), view.state === 'open');
      assert.equal(html.includes('role="alert"'), view.state === 'open' && view.declined);
    }
  }
});

test('every page says that no real money is used, and leads to the other language', () => {
  for (const view of VIEWS) {
    assert.ok(text(view, 'en').includes('of a sandbox: no real money is used'));
    assert.ok(text(view, 'ar').includes('لا تُستخدم فيها أموال حقيقية'));
    assert.match(checkoutPage(view, 'en').html, /<a href="\?lang=ar" hreflang="ar" lang="ar" dir="rtl">/);
    assert.match(checkoutPage(view, 'ar').html, /<a href="\?lang=en" hreflang="en" lang="en" dir="ltr">/);
  }
});

test('whatever is filled in is text', () => {
  const hostile = `"><script>alert('&')</script>`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;';
  for (const field of ['partner', 'startAt', 'endAt', 'amount', 'reference'] as const) {
    for (const view of [
      { ...OPEN, [field]: hostile },
      { ...BOOKED, state: 'paid', [field]: hostile } as const,
    ]) {
      const { html } = checkoutPage(view, 'en');
      assert.ok(html.includes(escaped), field);
      assert.ok(!html.includes('<script'), field);
    }
  }
  for (const language of LANGUAGES) {
    const service = { en: 'Cleaning', ar: 'تنظيف', [language]: hostile };
    const { html } = checkoutPage({ ...OPEN, service }, language);
    assert.ok(html.includes(escaped) && !html.includes('<script'), language);
  }
  assert.throws(() => checkoutPage({ ...OPEN, date: hostile }, 'en'), RangeError);
});

test('no control character of a name gets into the page; the marks that Arabic needs do', () => {
  const { html } = checkoutPage(
    { ...OPEN, service: { en: 'x', ar: 'a\u202Eb\u2066c\u2069d\u0000e\u0085f\u200Fg\u061Ch' } },
    'ar',
  );
  assert.ok(html.includes('<bdi>abcd e f\u200Fg\u061Ch</bdi>'));
  assert.doesNotMatch(html, /[\u202A-\u202E\u2066-\u2069]|(?!\n)\p{Cc}/u);
});

test('language: what the address asks for, then what the browser prefers, then Arabic', () => {
  const cases: [string | undefined, string | undefined, 'ar' | 'en'][] = [
    [undefined, undefined, 'ar'],
    [undefined, '', 'ar'],
    ['en', undefined, 'en'],
    ['en', 'ar', 'en'],
    ['ar', 'en', 'ar'],
    ['fr', 'en', 'en'],
    ['', 'en', 'en'],
    ['EN"', undefined, 'ar'],
    [undefined, 'en', 'en'],
    [undefined, 'en-GB', 'en'],
    [undefined, 'EN-us', 'en'],
    [undefined, 'ar-SA,ar;q=0.9,en;q=0.8', 'ar'],
    [undefined, 'en-US,en;q=0.9,ar;q=0.8', 'en'],
    [undefined, 'ar;q=0.3, en;q=0.7', 'en'],
    [undefined, 'en;q=0.3, ar;q=0.7', 'ar'],
    [undefined, 'en, ar', 'en'],
    [undefined, 'ar, en', 'ar'],
    [undefined, 'fr-FR, de;q=0.9, en;q=0.1', 'en'],
    [undefined, 'fr', 'ar'],
    [undefined, 'ur', 'ar'],
    [undefined, 'eng', 'ar'],
    [undefined, '*', 'ar'],
    [undefined, '*;q=0.5, en;q=0.4', 'ar'],
    [undefined, '*;q=0.5, en;q=0.6', 'en'],
    [undefined, 'en;q=0', 'ar'],
    [undefined, 'ar;q=0, *', 'en'],
    [undefined, 'ar;q=0.0, en;q=0.001', 'en'],
    [undefined, 'en;q=2, ar;q=0.1', 'en'],
    [undefined, 'en;q=x', 'ar'],
    [undefined, ';;,,=en', 'ar'],
    [undefined, ' en ; q=0.9 , ar ; q=0.8 ', 'en'],
  ];
  for (const [lang, header, expected] of cases) {
    assert.equal(chooseLanguage(lang, header), expected, `lang ${lang}, Accept-Language ${header}`);
  }
});
