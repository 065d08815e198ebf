import { dateOf, type Instant, parseOffsetDateTime, timeOf } from '../base/clock.ts';
import { openLink } from '../bookings/payment-links.ts';
import type { Sealer } from '../db/sealing.ts';
import {
  DIRECTIONS,
  dateText,
  inlined,
  inlinedFile,
  isolated,
  LANGUAGE_NAMES,
  type Language,
  otherThan,
  pageHeaders,
} from '../http/bilingual-pages.ts';
import { filled, type Html, html } from '../http/html.ts';
import { policyTexts } from '../policies/texts.ts';
import type { VisitRow } from './page-queries.ts';
import TEXTS from './page-texts.json' with { type: 'json' };
import { AHEAD, expectedAt, textOn, type VisitState, visitState } from './rules.ts';

/** A visit as its customer sees it. Readable without a script; nothing is loaded from elsewhere. */

export type VisitPage = { status: 200 | 404; html: string; headers: Record<string, string> };

const css = inlinedFile(new URL('page.css', import.meta.url));
const script = inlinedFile(new URL('page.js', import.meta.url));

/** Sentences below the heading, and since when a state lasts, of the states that have them. */
type StateTexts = Partial<Record<VisitState, string>>;

/** The head's colour when the partner has none. */
const COLOUR = '#1f3a4d';

type Frame = { language: Language; title: Html; head: Html; colour: string; isLive: boolean };

function framed({ language, title, head, colour, isLive }: Frame, main: Html): Omit<VisitPage, 'status'> {
  const style = inlined(`${css().text}:root{--brand:${colour};--on-brand:${textOn(colour)}}`);
  const other = otherThan(language);
  const page = html`<!doctype html>
<html lang="${language}" dir="${DIRECTIONS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style.text}</style>
</head>
<body>
<header>
<p>${head}</p>
<a href="?lang=${other}" hreflang="${other}" lang="${other}" dir="${DIRECTIONS[other]}">${LANGUAGE_NAMES[other]}</a>
</header>
<main>
${main}
</main>
${isLive && html`<script>${script().text}</script>\n`}</body>
</html>
`;
  const live = isLive ? [`script-src ${script().hash}`, `connect-src 'self'`] : [];
  const policy = ['img-src data:', ...live, `form-action ${isLive ? `'self'` : `'none'`}`];
  return { html: page.toString(), headers: pageHeaders(language, style, policy) };
}

/** The same page for every address without a visit. */
export function unknownPage(language: Language): VisitPage {
  const { title, text } = TEXTS[language].unknown;
  const frame = { language, title: html`${title}`, head: html``, colour: COLOUR, isLive: false };
  return { status: 404, ...framed(frame, html`<section>\n<h1>${title}</h1>\n<p>${text}</p>\n</section>`) };
}

/** The page of a visit at the address with this token. */
export function visitPage(
  sealer: Sealer,
  now: Instant,
  visit: VisitRow,
  { language, token }: { language: Language; token: string },
): VisitPage {
  const texts = TEXTS[language];
  const sentences: StateTexts = texts.sentences;
  const state = visitState(visit, now);
  const partner = isolated(visit.partner_name);
  const colour = visit.page_colour ?? COLOUR;
  const title = html`${texts.states[state]} - ${visit.partner_name}`;
  const frame = { language, title, head: partner, colour, isLive: true };
  const payUrl = paymentLinkOf(sealer, now, visit);
  const main = html`<section id="state" class="${state}" aria-live="polite">
<h1>${texts.states[state]}</h1>
${sinceText(visit, state, language)}${sentence(sentences[state], { partner, expected: clockTime(expectedAt(visit)) })}${lateText(visit, state, language)}${movedText(visit, state, language)}${payUrl !== null && html`<p><a class="pay" href="${payUrl}">${texts.pay}</a></p>\n`}</section>
<section id="details">
${details(visit, state, language)}
${AHEAD.includes(state) && state !== 'unreported' && html`<p><a href="${token}/visit.ics?lang=${language}">${texts.calendar}</a></p>\n`}</section>
${contact(visit, language)}<section id="more">
${more(visit, { language, token })}</section>
<p id="offline" role="status" hidden>${texts.offline}</p>
<noscript><p>${texts.reload}</p></noscript>`;
  return { status: 200, ...framed(frame, main) };
}

const sentence = (text: string | undefined, values: Record<string, Html>): Html | null =>
  text === undefined ? null : html`<p>${filled(text, values)}</p>\n`;

const clockTime = (at: Instant): Html => isolated(timeOf(at).slice(0, 5));

/** The time of the last change, when it was the one to the present status. */
function sinceText(
  { last_change, appointment_status }: VisitRow,
  state: VisitState,
  language: Language,
): Html | null {
  const { [state]: since }: StateTexts = TEXTS[language].since;
  const at = last_change?.to === appointment_status ? parseOffsetDateTime(last_change.changedAt) : null;
  if (since === undefined || at === null) return null;
  return html`<p class="since">${filled(since, { time: clockTime(at) })}</p>\n`;
}

/** The delay of a team on its way. */
function lateText(visit: VisitRow, state: VisitState, language: Language): Html | null {
  if (state !== 'onTheWay' || (visit.late_minutes ?? 0) === 0) return null;
  return sentence(TEXTS[language].expected, { time: clockTime(expectedAt(visit)) });
}

/** What changes of the visit cost, and the customer's say in messages. */
function more(visit: VisitRow, { language, token }: { language: Language; token: string }): Html {
  const { policy, messages } = TEXTS[language];
  const { textEn, textAr } = visit.terms === null ? { textEn: null, textAr: null } : policyTexts(visit.terms);
  const terms = language === 'ar' ? textAr : textEn;
  const stopped = visit.messages_stopped;
  const choices = stopped === null ? (['STOP', 'NOT_ME'] as const) : (['SEND'] as const);
  const buttons = choices.map(
    (choice) => html`<button name="choice" value="${choice}">${messages.choices[choice]}</button>\n`,
  );
  return html`${terms !== null && html`<h2>${policy}</h2>\n<p>${terms}</p>\n`}${
    (visit.has_messages || stopped !== null) &&
    html`<h2>${messages.title}</h2>
<p>${messages.states[stopped ?? 'SEND']}</p>
<form method="post" action="${token}/messages?lang=${language}">
${buttons}</form>
`
  }`;
}

/** The slot that the visit was booked for, when it was moved since. */
function movedText({ first_slot, ...visit }: VisitRow, state: VisitState, language: Language): Html | null {
  if (first_slot === null || !AHEAD.includes(state)) return null;
  const date = first_slot.date.slice(0, 10);
  const time = first_slot.timeslot.startAt.slice(0, 5);
  if (date === visit.service_date && time === timeOf(visit.starts_at).slice(0, 5)) return null;
  const first = { date: dateText(date, language), time: isolated(time) };
  return html`<p class="moved">${filled(TEXTS[language].moved, first)}</p>\n`;
}

function details(visit: VisitRow, state: VisitState, language: Language): Html {
  const { labels, range, nextDay, riyadh } = TEXTS[language];
  const time = filled(range, { from: clockTime(visit.starts_at), to: clockTime(visit.ends_at) });
  const endsNextDay = dateOf(visit.ends_at) > visit.service_date;
  const service = language === 'ar' ? visit.service_name_ar : visit.service_name;
  const team = language === 'ar' ? visit.team_name_ar : visit.team_name;
  // A team that may still change is no team yet, and none comes to a visit that does not take place.
  const hasTeam =
    visit.appointment_status !== 'New' && !['canceled', 'visitCanceled', 'failed', 'waiting'].includes(state);
  return html`<dl>
<div><dt>${labels.service}</dt><dd>${isolated(service)}</dd></div>
<div><dt>${labels.date}</dt><dd>${dateText(visit.service_date, language)}</dd></div>
<div><dt>${labels.time}</dt><dd>${time}${endsNextDay && html` (${nextDay})`}<br><small>${riyadh}</small></dd></div>
${hasTeam && html`<div><dt>${labels.team}</dt><dd>${isolated(team)}</dd></div>\n`}<div><dt>${labels.reference}</dt><dd>${isolated(visit.appointment_name)}</dd></div>
</dl>`;
}

function contact(visit: VisitRow, language: Language): Html | null {
  const { contact: heading, call } = TEXTS[language];
  const text = language === 'ar' ? visit.contact_text_ar : visit.contact_text_en;
  const number = visit.contact_number;
  if (text === null && number === null) return null;
  const shown = number !== null && html`<bdi dir="ltr">${number}</bdi>`;
  return html`<aside>
<h2>${filled(heading, { partner: isolated(visit.partner_name) })}</h2>
${text !== null && html`<p>${isolated(text)}</p>\n`}${shown && html`<p><a class="call" href="tel:${number}">${filled(call, { number: shown })}</a></p>\n`}</aside>
`;
}

/** The open payment link; null: there is none, or it cannot be paid any more. */
function paymentLinkOf(sealer: Sealer, now: Instant, visit: VisitRow): string | null {
  const { payment_id, link_url, link_expires_at } = visit;
  if (payment_id === null || link_url === null || link_expires_at === null) return null;
  if (Math.min(link_expires_at, visit.starts_at) <= now) return null;
  return openLink(sealer, payment_id, link_url);
}
