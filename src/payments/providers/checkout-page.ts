import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Negotiator from 'negotiator';
import { type CalendarDate, dateOf, type Instant, timeOf } from '../../base/clock.ts';
import { type Html, html, trustedHtml } from '../../http/html.ts';
import { type CheckoutLanguage, type CheckoutState, TEXTS } from './checkout-texts.ts';

/**
 * The pages of the sandbox gateway's checkout. Pure rendering: no script, no external resources, one inline style sheet
 * that the content security policy allows by its hash.
 */

/** The booking. `startAt` and `endAt` are `HH:MM` in Riyadh, `amount` is SAR with two decimals. */
type Booked = {
  partner: string;
  service: Record<CheckoutLanguage, string>;
  date: CalendarDate;
  startAt: string;
  endAt: string;
  endsAtNextDay: boolean;
  amount: string;
  reference: string;
};

export type CheckoutView =
  /** `declined`: the last payment was declined; the link is still open. */
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
} as const satisfies Record<CheckoutState, number>;

/** Gregorian in both languages, with the same digits as in the message. */
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
    timeZone: 'UTC', // a calendar date is formatted as UTC midnight, so that no time zone shifts it
  });
}

let style: { css: Html; hash: string } | null = null;

/** The style sheet, read once, and its hash for the content security policy. */
function loadStyle(): { css: Html; hash: string } {
  if (style !== null) return style;
  const css = readFileSync(new URL('checkout-page.css', import.meta.url), 'utf8');
  style = { css: trustedHtml(css), hash: createHash('sha256').update(css).digest('base64') };
  return style;
}

const headersOf = (language: CheckoutLanguage): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-language': language,
  'cache-control': 'no-store',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${loadStyle().hash}'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'referrer-policy': 'no-referrer', // the URL has the token
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept-language',
});

/**
 * The page of a payment link with its status and headers. A link that was used, has failed, has expired or belongs to a
 * canceled booking, and an unknown token, have pages of their own. Throws RangeError on an invalid date.
 */
export function checkoutPage(
  view: CheckoutView,
  language: CheckoutLanguage,
): { status: number; html: string; headers: Record<string, string> } {
  const texts = TEXTS[language];
  const declined = view.state === 'open' && view.declined;
  const heading = texts.titles[view.state];
  const other: CheckoutLanguage = language === 'ar' ? 'en' : 'ar';
  const page = html`<!doctype html>
<html lang="${language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${declined ? texts.declined.title : heading}</title>
<style>${loadStyle().css}</style>
</head>
<body>
<header>
<p>${texts.sandbox}</p>
<a href="?lang=${other}" hreflang="${other}" lang="${other}" dir="${TEXTS[other].direction}">${LANGUAGE_NAMES[other]}</a>
</header>
<main class="${view.state}">
<h1>${heading}</h1>
${declined && html`<p class="note" role="alert">${texts.declined.text}</p>`}
${body(view, language)}
</main>
</body>
</html>
`;
  return { status: STATUS[view.state], html: String(page), headers: headersOf(language) };
}

const LANGUAGE_NAMES: Record<CheckoutLanguage, string> = { ar: 'العربية', en: 'English' };

function body(view: CheckoutView, language: CheckoutLanguage): Html {
  if (view.state === 'open') return html`${details(view, language)}\n${payment(view, language)}`;
  const text = html`<p>${TEXTS[language].closed[view.state]}</p>`;
  return view.state === 'unknown' ? text : html`${text}\n${details(view, language)}`;
}

function details(booked: Booked, language: CheckoutLanguage): Html {
  const { labels, range, nextDay } = TEXTS[language];
  const time = range(isolated(booked.startAt), isolated(booked.endAt));
  return html`<dl>
<div><dt>${labels.partner}</dt><dd>${isolated(booked.partner)}</dd></div>
<div><dt>${labels.service}</dt><dd>${isolated(booked.service[language])}</dd></div>
<div><dt>${labels.date}</dt><dd>${dateText(booked.date, language)}</dd></div>
<div><dt>${labels.time}</dt><dd>${time}${booked.endsAtNextDay && html` <span>(${nextDay})</span>`}</dd></div>
<div><dt>${labels.reference}</dt><dd>${isolated(booked.reference)}</dd></div>
<div class="amount"><dt>${labels.amount}</dt><dd>${amountText(booked, language)}</dd></div>
</dl>`;
}

/** Without action: the form is sent to the page's own URL, which has the token and the language. */
function payment(view: CheckoutView & { state: 'open' }, language: CheckoutLanguage): Html {
  const texts = TEXTS[language];
  const time = isolated(timeOf(view.expiresAt).slice(0, 5));
  const pay = texts.pay(amountText(view, language));
  return html`<p class="until">${texts.validUntil(dateText(dateOf(view.expiresAt), language), time)}</p>
<form method="post">
<fieldset>
<legend>${texts.choose}</legend>
<button class="pay" name="outcome" value="paid"><b>${pay}</b> <span>${texts.payHint}</span></button>
<button class="decline" name="outcome" value="declined"><b>${texts.decline}</b> <span>${texts.declineHint}</span></button>
<button class="fail" name="outcome" value="failed"><b>${texts.fail}</b> <span>${texts.failHint}</span></button>
</fieldset>
</form>`;
}

function amountText({ amount }: Booked, language: CheckoutLanguage): Html {
  return isolated(`${amount} ${TEXTS[language].currency}`);
}

function dateText(date: CalendarDate, language: CheckoutLanguage): Html {
  return html`<time datetime="${date}">${DATES[language].format(Date.parse(`${date}T00:00:00Z`))}</time>`;
}

/**
 * Text whose direction does not affect its neighbours. Control characters become spaces. Embeddings, overrides
 * and isolates are removed: an unclosed one would reach beyond its <bdi> and reverse the text after it.
 */
function isolated(text: string): Html {
  return html`<bdi>${text.replace(/\p{Cc}/gu, ' ').replace(/[\u202A-\u202E\u2066-\u2069]/g, '')}</bdi>`;
}

/**
 * Arabic or English: `?lang=` when it is valid, else the first by quality in Accept-Language, else Arabic.
 * `*` stands for any language that the header does not refuse with `q=0`.
 */
export function chooseLanguage(
  lang: string | undefined,
  acceptLanguage: string | undefined,
): CheckoutLanguage {
  if (lang === 'ar' || lang === 'en') return lang;
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
  return negotiator.language(['ar', 'en']) === 'en' ? 'en' : 'ar';
}
