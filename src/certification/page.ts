import { DIRECTIONS, inlinedFile, type Language, otherThan, pageHeaders } from '../http/bilingual-pages.ts';
import { type Html, html } from '../http/html.ts';
import { fillPlaceholders, PAGE_TEXTS } from './texts.ts';
import type { CertificationView } from './view.ts';

/** A certification as a page to print, in English or Arabic: no script, nothing loaded from elsewhere. */

const style = inlinedFile(new URL('page.css', import.meta.url));

export const certificationHeaders = (language: Language) => pageHeaders(language, style());

/** The page; the texts of the view are in its language. */
export function certificationPage(
  partner: string,
  { id, status, startedAt, finishedAt, score, points }: CertificationView,
  language: Language,
): string {
  const texts = PAGE_TEXTS[language];
  const other = otherThan(language);
  const title = fillPlaceholders(texts.title, { partner });
  return html`<!doctype html>
<html lang="${language}" dir="${DIRECTIONS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style().text}</style>
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
