import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, trustedHtml } from '../http/html.ts';
import type { CertificationView } from './view.ts';

/** A certification as a page to print: no script, nothing loaded from elsewhere. */

const STATES = {
  passed: '✓ passed',
  failed: '✗ failed',
  waiting: '… waiting',
  'not-applicable': '– does not apply',
} as const;

let style: { css: string; hash: string } | null = null;

function loadStyle(): { css: string; hash: string } {
  if (style !== null) return style;
  const css = readFileSync(new URL('page.css', import.meta.url), 'utf8');
  style = { css, hash: createHash('sha256').update(css).digest('base64') };
  return style;
}

export function pageHeaders(): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': 'en',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${loadStyle().hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
}

export function certificationPage(
  partner: string,
  { id, status, startedAt, finishedAt, score, points }: CertificationView,
): string {
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Certification of ${partner}</title>
<style>${trustedHtml(loadStyle().css)}</style>
</head>
<body>
<h1>Certification of ${partner}</h1>
<p class="quiet">Partner Booking Service, sandbox. Started ${startedAt}, ${
    finishedAt === null ? 'under way: this page shows how it stands' : `finished ${finishedAt}`
  }. <code>${id}</code></p>
<p class="score">${String(score.passed)} of ${String(score.of)} points${status === 'RUNNING' && ' so far'}</p>
<ol>
${points.map(
  (point) => html`<li class="${point.state}">
<span class="state">${STATES[point.state]}</span>
<h2>${point.title}</h2>
<p>${point.found}</p>
<p class="quiet">The service: ${point.does} It waits for: ${point.waitsFor}</p>
${point.requestIds.length > 0 && html`<p class="quiet">Requests: <code>${point.requestIds.join(', ')}</code></p>`}
${point.deliveryIds.length > 0 && html`<p class="quiet">Deliveries: <code>${point.deliveryIds.join(', ')}</code></p>`}
</li>
`,
)}
</ol>
</body>
</html>
`.toString();
}
