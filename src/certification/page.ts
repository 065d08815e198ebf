import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Negotiator from 'negotiator';
import { type Html, html, trustedHtml } from '../http/html.ts';
import { fillPlaceholders, type Language, PAGE_TEXTS } from './texts.ts';
import type { CertificationView } from './view.ts';

/** A certification as a page to print, in English or Arabic: no script, nothing loaded from elsewhere. */

let style: { css: string; hash: string } | null = null;

function loadStyle(): { css: string; hash: string } {
  if (style !== null) return style;
  const css = readFileSync(new URL('page.css', import.meta.url), 'utf8');
  style = { css, hash: createHash('sha256').update(css).digest('base64') };
  return style;
}

/** `?lang=` when it is valid, else by Accept-Language, else English. */
export function pageLanguage(lang: string | undefined, acceptLanguage: string | undefined): Language {
  if (lang === 'ar' || lang === 'en') return lang;
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
  return negotiator.language(['en', 'ar']) === 'ar' ? 'ar' : 'en';
}

/** Headers of the page: no script, no external resources, no storing. */
export function pageHeaders(language: Language): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${loadStyle().hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    vary: 'accept-language',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
}

/** The page; the texts of the view are in its language. */
export function certificationPage(
  partner: string,
  { id, status, startedAt, finishedAt, score, points }: CertificationView,
  language: Language,
): string {
  const texts = PAGE_TEXTS[language];
  const other = language === 'en' ? 'ar' : 'en';
  const title = fillPlaceholders(texts.title, { partner });
  return html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${trustedHtml(loadStyle().css)}</style>
</head>
<body>
<main>
<nav><a href="?lang=${other}" lang="${other}" hreflang="${other}">${texts.other}</a></nav>
<h1>${title}</h1>
<p class="quiet">${texts.service}</p>
<dl class="quiet">
<div><dt>${texts.started}</dt><dd>${dateAndTime(startedAt)}</dd></div>
<div><dt>${texts.finished}</dt><dd>${finishedAt === null ? texts.underWay : dateAndTime(finishedAt)}</dd></div>
<div><dt>ID</dt><dd><code>${id}</code></dd></div>
</dl>
<p class="score">${fillPlaceholders(texts.score, score)}${status === 'RUNNING' && ` ${texts.soFar}`}</p>
<ol>
${points.map(
  (point) => html`<li class="${point.state}">
<div class="head"><h2>${point.title}</h2> <span class="state">${texts.states[point.state]}</span></div>
<p>${point.found}</p>
<p class="quiet">${texts.does} ${point.does} ${texts.waitsFor} ${point.waitsFor}</p>
${shownBy(texts.requests, point.requestIds)}${shownBy(texts.deliveries, point.deliveryIds)}</li>
`,
)}
</ol>
</main>
</body>
</html>
`.toString();
}

function shownBy(label: string, ids: readonly string[]): Html | null {
  if (ids.length === 0) return null;
  return html`<p class="quiet">${label} ${ids.map((id) => html`<code>${id}</code> `)}</p>\n`;
}

/** `2026-11-22 08:00:00 +03:00`, left to right in either language. */
function dateAndTime(iso: string): Html {
  const [, date, time, offset] = /^(.+)T([\d:]+)(.+)$/.exec(iso) ?? [];
  return html`<time datetime="${iso}"><bdi dir="ltr">${`${date} ${time} ${offset}`}</bdi></time>`;
}
