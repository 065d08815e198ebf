import { type CalendarDate, dateOf, type Instant, timeOf } from '../../base/clock.ts';
import {
  DIRECTIONS,
  dateText,
  inlinedFile,
  isolated,
  LANGUAGE_NAMES,
  type Language,
  otherThan,
  pageHeaders,
} from '../../http/bilingual-pages.ts';
import { filled, type Html, html } from '../../http/html.ts';
import TEXTS from './checkout-texts.json' with { type: 'json' };

/**
 * The pages of the sandbox gateway's checkout. Pure rendering: no script, no external resources, one inline style sheet
 * that the content security policy allows by its hash.
 */

/** The booking. `startAt` and `endAt` are `HH:MM` in Riyadh, `amount` is SAR with two decimals. */
type Booked = {
  partner: string;
  service: Record<Language, string>;
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
} as const satisfies Record<CheckoutView['state'], number>;

const style = inlinedFile(new URL('checkout-page.css', import.meta.url));

/**
 * The page of a payment link with its status and headers. A link that was used, has failed, has expired or belongs to a
 * canceled booking, and an unknown token, have pages of their own. Throws RangeError on an invalid date.
 */
export function checkoutPage(
  view: CheckoutView,
  language: Language,
): { status: number; html: string; headers: Record<string, string> } {
  const texts = TEXTS[language];
  const declined = view.state === 'open' && view.declined;
  const heading = texts.titles[view.state];
  const other = otherThan(language);
  const page = html`<!doctype html>
<html lang="${language}" dir="${DIRECTIONS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${declined ? texts.declined.title : heading}</title>
<style>${style().text}</style>
</head>
<body>
<header>
<p>${texts.sandbox}</p>
<a href="?lang=${other}" hreflang="${other}" lang="${other}" dir="${DIRECTIONS[other]}">${LANGUAGE_NAMES[other]}</a>
</header>
<main class="${view.state}">
<h1>${heading}</h1>
${declined && html`<p class="note" role="alert">${texts.declined.text}</p>`}
${body(view, language)}
</main>
</body>
</html>
`;
  return {
    status: STATUS[view.state],
    html: String(page),
    headers: pageHeaders(language, style(), [`form-action 'self'`]),
  };
}

function body(view: CheckoutView, language: Language): Html {
  if (view.state === 'open') return html`${details(view, language)}\n${payment(view, language)}`;
  const text = html`<p>${TEXTS[language].closed[view.state]}</p>`;
  return view.state === 'unknown' ? text : html`${text}\n${details(view, language)}`;
}

function details(booked: Booked, language: Language): Html {
  const { labels, range, nextDay } = TEXTS[language];
  const time = filled(range, { from: isolated(booked.startAt), to: isolated(booked.endAt) });
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
function payment(view: CheckoutView & { state: 'open' }, language: Language): Html {
  const texts = TEXTS[language];
  const { expiresAt } = view;
  const until = {
    date: dateText(dateOf(expiresAt), language),
    time: isolated(timeOf(expiresAt).slice(0, 5)),
  };
  const pay = filled(texts.pay, { amount: amountText(view, language) });
  return html`<p class="until">${filled(texts.validUntil, until)}</p>
<form method="post">
<fieldset>
<legend>${texts.choose}</legend>
<button class="pay" name="outcome" value="paid"><b>${pay}</b> <span>${texts.payHint}</span></button>
<button class="decline" name="outcome" value="declined"><b>${texts.decline}</b> <span>${texts.declineHint}</span></button>
<button class="fail" name="outcome" value="failed"><b>${texts.fail}</b> <span>${texts.failHint}</span></button>
</fieldset>
</form>`;
}

function amountText({ amount }: Booked, language: Language): Html {
  return isolated(`${amount} ${TEXTS[language].currency}`);
}
