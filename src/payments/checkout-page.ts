import { createHash } from 'node:crypto';
import { type CalendarDate, dateOf, type Instant, timeOf } from '../clock.ts';

/**
 * The pages of the sandbox gateway's checkout: what a customer sees who opens a payment link. Pure rendering: no
 * script, nothing loaded from elsewhere, one inline style sheet that the content security policy knows by hash.
 */
export type CheckoutLanguage = 'ar' | 'en';

/** What is paid for. `startAt` and `endAt` are `HH:MM` in Riyadh, `amount` is SAR with two decimals. */
type Booked = {
  service: string;
  date: CalendarDate;
  startAt: string;
  endAt: string;
  endsAtNextDay: boolean;
  amount: string;
  reference: string;
};

export type CheckoutView =
  /** `declined`: the last try was, and the link is still open. */
  | (Booked & { state: 'open'; expiresAt: Instant; declined: boolean })
  | (Booked & { state: 'paid' | 'failed' | 'expired' | 'canceled' })
  | { state: 'unknown' };

const STATUS = {
  open: 200,
  paid: 200,
  failed: 410,
  expired: 410,
  canceled: 410,
  unknown: 404,
} as const satisfies Record<CheckoutView['state'], number>;

type Texts = {
  direction: 'rtl' | 'ltr';
  sandbox: string;
  currency: string;
  labels: Record<'reference' | 'service' | 'date' | 'time' | 'amount', string>;
  /** From and to are HTML. */
  range(from: string, to: string): string;
  nextDay: string;
  /** Date and time are HTML. */
  validUntil(date: string, time: string): string;
  choose: string;
  pay(amount: string): string;
  payHint: string;
  decline: string;
  declineHint: string;
  fail: string;
  failHint: string;
  declined: { title: string; text: string };
  titles: Record<CheckoutView['state'], string>;
  closed: Record<Exclude<CheckoutView['state'], 'open'>, string>;
};

const TEXTS: Record<CheckoutLanguage, Texts> = {
  ar: {
    direction: 'rtl',
    sandbox: 'صفحة دفع تجريبية: لا تُستخدم فيها أموال حقيقية.',
    currency: 'ر.س',
    labels: {
      reference: 'رقم الحجز',
      service: 'الخدمة',
      date: 'التاريخ',
      time: 'الوقت',
      amount: 'المبلغ',
    },
    range: (from, to) => `من ${from} إلى ${to}`,
    nextDay: 'اليوم التالي',
    validUntil: (date, time) => `الرابط صالح حتى ${date}، الساعة ${time} بتوقيت الرياض.`,
    choose: 'اختر نتيجة الدفع التجريبي',
    pay: (amount) => `ادفع ${amount}`,
    payHint: 'يقبل البنك الدفع.',
    decline: 'رفض المحاولة',
    declineHint: 'يبقى الرابط صالحًا ويمكن المحاولة مجددًا.',
    fail: 'فشل نهائي',
    failHint: 'يفشل الحجز ويُغلق الرابط.',
    declined: {
      title: 'رُفض الدفع',
      text: 'رُفضت المحاولة الأخيرة. لم يُدفع أي مبلغ، ويمكنك المحاولة مرة أخرى.',
    },
    titles: {
      open: 'ادفع قيمة حجزك',
      paid: 'تم الدفع',
      failed: 'فشل الدفع',
      expired: 'انتهت صلاحية الرابط',
      canceled: 'أُلغي الحجز',
      unknown: 'رابط الدفع غير موجود',
    },
    closed: {
      paid: 'شكرًا لك. استُخدم هذا الرابط، ولا يلزم دفع أي مبلغ آخر.',
      failed: 'فشل الدفع نهائيًا ولم يُحتفظ بالموعد. للحجز من جديد، تواصل مع الجهة التي حجزت من خلالها.',
      expired:
        'لم يُدفع المبلغ في الوقت المحدد ولم يُحتفظ بالموعد. للحجز من جديد، تواصل مع الجهة التي حجزت من خلالها.',
      canceled: 'أُلغي هذا الحجز، ولا يمكن الدفع بهذا الرابط.',
      unknown: 'تأكد من فتح الرابط كاملًا كما ورد في الرسالة.',
    },
  },
  en: {
    direction: 'ltr',
    sandbox: 'Test page of a sandbox: no real money is used.',
    currency: 'SAR',
    labels: { reference: 'Booking', service: 'Service', date: 'Date', time: 'Time', amount: 'Amount' },
    range: (from, to) => `${from} to ${to}`,
    nextDay: 'next day',
    validUntil: (date, time) => `The link is valid until ${date}, ${time} (Riyadh time).`,
    choose: 'Choose the outcome of this test payment',
    pay: (amount) => `Pay ${amount}`,
    payHint: 'The bank accepts the payment.',
    decline: 'Decline this try',
    declineHint: 'The link stays open for another try.',
    fail: 'Fail for good',
    failHint: 'The booking fails and the link closes.',
    declined: {
      title: 'Payment declined',
      text: 'The last try was declined. Nothing was paid, and you can try again.',
    },
    titles: {
      open: 'Pay for your booking',
      paid: 'Paid',
      failed: 'Payment failed',
      expired: 'This link has expired',
      canceled: 'Booking canceled',
      unknown: 'Payment link not found',
    },
    closed: {
      paid: 'Thank you. This link has been used and there is nothing more to pay.',
      failed:
        'The payment failed for good and the appointment is not kept. For a new booking, contact the company you booked with.',
      expired:
        'It was not paid in time and the appointment is not kept. For a new booking, contact the company you booked with.',
      canceled: 'This booking was canceled and can no longer be paid with this link.',
      unknown: 'Open the whole link, exactly as it stands in the message.',
    },
  },
};

/** Gregorian in both languages, with the digits of the message that brought the link. */
const DATES: Record<CheckoutLanguage, Intl.DateTimeFormat> = {
  ar: dateFormat('ar-SA-u-ca-gregory-nu-latn'),
  en: dateFormat('en-GB-u-ca-gregory-nu-latn'),
};

function dateFormat(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC', // a calendar date is formatted as UTC midnight, so that no zone moves it
  });
}

const STYLE = `:root{color-scheme:light dark;--page:#f2f4f6;--card:#fff;--text:#1b1f24;--soft:#555d68;--line:#d3d8de;
--pay:#0b6b46;--on-pay:#fff;--note:#fff2cc;--on-note:#574000;--bad:#a3271b}
@media screen and (prefers-color-scheme:dark){:root{--page:#111417;--card:#1b2026;--text:#eceff3;--soft:#adb5c0;
--line:#3c444e;--pay:#56c993;--on-pay:#06251a;--note:#3a2f12;--on-note:#f6e1a3;--bad:#ff9d90}}
*{box-sizing:border-box}
body{margin:0;padding:1rem;background:var(--page);color:var(--text);overflow-wrap:anywhere;
font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Arabic","Geeza Pro",Tahoma,sans-serif}
header,main{max-inline-size:28rem;margin-inline:auto}
header{display:flex;gap:1rem;align-items:center;justify-content:space-between;margin-block-end:1rem}
header p{margin:0;font-size:.875rem;color:var(--soft)}
header a{flex:none;display:flex;align-items:center;min-block-size:3rem;padding-inline:.75rem;color:inherit;
overflow-wrap:normal}
main{padding:1.25rem;background:var(--card);border:1px solid var(--line);border-block-start:.375rem solid var(--soft);
border-radius:.75rem}
.open,.paid{border-block-start-color:var(--pay)}
.failed,.expired{border-block-start-color:var(--bad)}
h1{margin:0;font-size:1.5rem;line-height:1.35}
h1,dd,legend,button{text-wrap:balance}
p{text-wrap:pretty}
p{margin-block:.75rem 0}
.note{padding:.625rem .875rem;background:var(--note);color:var(--on-note);border-radius:.5rem}
dl{margin-block:1rem 0}
dl div{display:flex;gap:1rem;justify-content:space-between;padding-block:.5rem}
dl div+div{border-block-start:1px solid var(--line)}
dt{flex:none;color:var(--soft)}
dd{margin:0;text-align:end}
dd span{white-space:nowrap}
.amount{align-items:baseline;font-weight:700}
.amount dd{font-size:1.375rem;line-height:1.4}
.until{margin:0;font-size:.875rem;color:var(--soft)}
fieldset{min-inline-size:0;margin:1.25rem 0 0;padding:0;border:0}
legend{padding:0;color:var(--soft);font-size:.875rem}
button{display:block;inline-size:100%;min-block-size:3.5rem;margin-block-start:.625rem;padding:.5rem .875rem;
font:inherit;line-height:1.4;text-align:center;color:var(--text);background:none;border:1px solid var(--soft);
border-radius:.5rem;cursor:pointer}
button b,button span{display:block}
button span{font-size:.875rem}
.pay{color:var(--on-pay);background:var(--pay);border-color:var(--pay)}
.pay b{font-size:1.125rem}
.fail b{color:var(--bad)}
button:hover,header a:hover{text-decoration:underline}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
@media print{body{padding:0}form,header a,.until{display:none}}
`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'referrer-policy': 'no-referrer', // the address holds the token
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept-language',
};

/**
 * The page of a payment link, with the status and headers it is sent with. A link that was used, has failed, has
 * expired or belongs to a canceled booking, and a token nobody knows: each has its own page.
 * Throws RangeError on what is no calendar date.
 */
export function checkoutPage(
  view: CheckoutView,
  language: CheckoutLanguage,
): { status: number; html: string; headers: Record<string, string> } {
  const texts = TEXTS[language];
  const declined = view.state === 'open' && view.declined;
  const heading = texts.titles[view.state];
  const other: CheckoutLanguage = language === 'ar' ? 'en' : 'ar';
  const html = `<!doctype html>
<html lang="${language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${declined ? texts.declined.title : heading}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p>${texts.sandbox}</p>
<a href="?lang=${other}" hreflang="${other}" lang="${other}" dir="${TEXTS[other].direction}">${LANGUAGE_NAMES[other]}</a>
</header>
<main class="${view.state}">
<h1>${heading}</h1>
${declined ? `<p class="note" role="alert">${texts.declined.text}</p>\n` : ''}${body(view, language)}
</main>
</body>
</html>
`;
  return { status: STATUS[view.state], html, headers: { ...HEADERS, 'content-language': language } };
}

const LANGUAGE_NAMES: Record<CheckoutLanguage, string> = { ar: 'العربية', en: 'English' };

function body(view: CheckoutView, language: CheckoutLanguage): string {
  const texts = TEXTS[language];
  if (view.state === 'open') return `${details(view, language)}\n${payment(view, language)}`;
  const text = `<p>${texts.closed[view.state]}</p>`;
  return view.state === 'unknown' ? text : `${text}\n${details(view, language)}`;
}

function details(booked: Booked, language: CheckoutLanguage): string {
  const { labels, range, nextDay } = TEXTS[language];
  const from = `<bdi>${escapeHtml(booked.startAt)}</bdi>`;
  const to = `<bdi>${escapeHtml(booked.endAt)}</bdi>`;
  const row = (label: string, value: string, name = ''): string =>
    `<div${name && ` class="${name}"`}><dt>${label}</dt><dd>${value}</dd></div>`;
  return [
    '<dl>',
    row(labels.service, `<bdi>${escapeHtml(booked.service)}</bdi>`),
    row(labels.date, dateText(booked.date, language)),
    row(labels.time, range(from, to) + (booked.endsAtNextDay ? ` <span>(${nextDay})</span>` : '')),
    row(labels.reference, `<bdi>${escapeHtml(booked.reference)}</bdi>`),
    row(labels.amount, `<bdi>${amountText(booked, language)}</bdi>`, 'amount'),
    '</dl>',
  ].join('\n');
}

/** No action: the form goes to the page's own address, and so keeps the token and the language. */
function payment(view: CheckoutView & { state: 'open' }, language: CheckoutLanguage): string {
  const texts = TEXTS[language];
  const time = `<bdi>${timeOf(view.expiresAt).slice(0, 5)}</bdi>`;
  const button = (outcome: string, name: string, label: string, hint: string): string =>
    `<button class="${name}" name="outcome" value="${outcome}"><b>${label}</b> <span>${hint}</span></button>`;
  return [
    `<p class="until">${texts.validUntil(dateText(dateOf(view.expiresAt), language), time)}</p>`,
    '<form method="post">',
    '<fieldset>',
    `<legend>${texts.choose}</legend>`,
    button('paid', 'pay', texts.pay(`<bdi>${amountText(view, language)}</bdi>`), texts.payHint),
    button('declined', 'decline', texts.decline, texts.declineHint),
    button('failed', 'fail', texts.fail, texts.failHint),
    '</fieldset>',
    '</form>',
  ].join('\n');
}

function amountText({ amount }: Booked, language: CheckoutLanguage): string {
  return `${escapeHtml(amount)} ${TEXTS[language].currency}`;
}

function dateText(date: CalendarDate, language: CheckoutLanguage): string {
  return `<time datetime="${escapeHtml(date)}">${DATES[language].format(Date.parse(`${date}T00:00:00Z`))}</time>`;
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text for element content and quoted attributes. Control characters become spaces. Embeddings, overrides and
 * isolates are left out: one without its end would reach beyond its <bdi>, and turn round the text after it.
 */
function escapeHtml(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[&<>\x22\x27]/g, (character) => ESCAPES[character]!);
}

/**
 * Arabic or English: `?lang=` when it names one of them, else the first by quality in Accept-Language, else Arabic.
 * `*` stands for any language that the header does not refuse with `q=0`.
 */
export function chooseLanguage(
  lang: string | undefined,
  acceptLanguage: string | undefined,
): CheckoutLanguage {
  if (lang === 'ar' || lang === 'en') return lang;
  const ranges = (acceptLanguage ?? '').split(',').flatMap((text) => {
    const [, primary, quality = '1'] = LANGUAGE_RANGE.exec(text) ?? [];
    return primary === undefined ? [] : { primary: primary.toLowerCase(), quality: Number(quality) };
  });
  const refused = ranges.filter(({ quality }) => quality === 0).map(({ primary }) => primary);
  const wanted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { primary } of wanted) {
    if (primary === 'ar' || primary === 'en') return primary;
    if (primary === '*') return refused.includes('ar') && !refused.includes('en') ? 'en' : 'ar';
  }
  return 'ar';
}

/** `en`, `en-GB;q=0.8`, `*;q=0.1`. */
const LANGUAGE_RANGE =
  /^\s*([a-z]{1,8}|\*)(?:-[a-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;
