import { createHash } from 'node:crypto';
import { escapeHtml, GUIDES, type Guide, type Language } from './guides.ts';

/** The HTML around the guides and the reference: one bar of links, one style sheet, nothing from elsewhere. */
const TITLE = 'Partner Booking Service';

/** Scalar has styles of its own and tells by the body's class which mode it is in: rules here name what is ours. */
const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;--code:#f3f5f7;--link:#0b57a4;
--scalar-custom-header-height:3rem}
@media(prefers-color-scheme:dark){:root{--paper:#0f0f0f;--text:#e6e9ed;--soft:#9aa4af;--line:#30363d;--code:#1a1f25;
--link:#7cb7ff}}
body.light-mode{--paper:#fff;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;--link:#0b57a4;color-scheme:light}
body.dark-mode{--paper:#0f0f0f;--text:#e6e9ed;--soft:#9aa4af;--line:#30363d;--link:#7cb7ff;color-scheme:dark}
.bar,.guide,.guide *{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
.bar{position:sticky;top:0;z-index:10;display:flex;gap:1.25rem;align-items:center;block-size:3rem;padding:0 1rem;
overflow-x:auto;white-space:nowrap;background:var(--paper);color:var(--text);border-bottom:1px solid var(--line);
font:.9375rem/1.4 system-ui,sans-serif}
.bar a{color:var(--soft);text-decoration:none}
.bar a:first-child{color:var(--text);font-weight:600}
.bar a:hover{text-decoration:underline}
.bar [aria-current]{color:var(--text);text-decoration:underline;text-underline-offset:.3em}
.guide{max-width:50rem;margin:0 auto;padding:1rem 1rem 4rem}
.guide h1,.guide h2,.guide h3,.guide a[id]{scroll-margin-top:4rem}
.guide h1,.guide h2,.guide h3{line-height:1.3}
.guide h1{font-size:1.875rem}
.guide h2{font-size:1.375rem;margin:2.25rem 0 .75rem}
.guide h3{font-size:1.125rem;margin:1.75rem 0 .5rem}
.guide a{color:var(--link)}
.guide code{font:.875em/1.5 ui-monospace,monospace;background:var(--code);border-radius:.25rem;padding:.1em .3em}
.guide pre{overflow-x:auto;padding:.875rem 1rem;background:var(--code);border-radius:.5rem;text-align:left}
.guide pre code{padding:0;background:none}
.wide{overflow-x:auto}
.guide table{border-collapse:collapse}
.guide th,.guide td{padding:.375rem .75rem;border:1px solid var(--line);text-align:start;vertical-align:top}
.guide blockquote{margin:1rem 0;padding-inline-start:1rem;border-inline-start:.25rem solid var(--line);color:var(--soft)}
.source{color:var(--soft);font-size:.875rem}
.bar :focus-visible,.guide :focus-visible{outline:3px solid var(--link);outline-offset:2px}
`;

/** What Scalar is told; every feature that would reach another host is off. */
const SETTINGS = {
  url: '/openapi.json',
  title: TITLE,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'ApiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // Fields in the order in which the document has them.
  orderSchemaPropertiesBy: 'preserve',
};

const START = `Scalar.createApiReference('#reference',${JSON.stringify(SETTINGS)})`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Guides are text: no script runs on their pages, and nothing is requested but the page. */
export const GUIDE_HEADERS = {
  'content-security-policy': [
    `default-src 'none'`,
    `style-src ${hashOf(STYLE)}`,
    'img-src data:', // the empty icon
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
};

/** Scalar writes style sheets and style attributes as it goes; its scripts and requests stay with this service. */
export const REFERENCE_HEADERS = {
  'content-security-policy': [
    `default-src 'none'`,
    `script-src 'self' ${hashOf(START)}`,
    `style-src 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
};

/** The reference: the bar, and Scalar from `script` over /openapi.json. */
export function referencePage(script: string): string {
  return page('en', `${TITLE}: reference`, '/docs', [
    '<div id="reference"></div>',
    '<noscript><main class="guide"><p>The reference needs JavaScript. Without it, there are the guides above and the',
    'document itself: <a href="/openapi.json">openapi.json</a>.</p></main></noscript>',
    `<script src="${script}"></script>`,
    `<script>${START}</script>`,
  ]);
}

/** A guide's page; `html` is the rendered guide. */
export function guidePage(guide: Guide, html: string): string {
  const source = { en: 'This page as Markdown', ar: 'هذه الصفحة بصيغة Markdown' }[guide.language];
  return page(guide.language, `${guide.title}: ${TITLE}`, `/docs/${guide.name}`, [
    '<main class="guide">',
    html.trimEnd(),
    `<p class="source"><a href="/docs/${guide.name}.md">${source}</a></p>`,
    '</main>',
  ]);
}

function page(language: Language, title: string, path: string, body: readonly string[]): string {
  const direction = directionOf(language);
  const links = GUIDES.filter(({ about }) => about !== null).map((guide) =>
    barLink(`/docs/${guide.name}`, guide.title, guide.language, path),
  );
  return [
    '<!doctype html>',
    `<html lang="${language}" dir="${direction}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    // No request for an icon, which there is none of.
    '<link rel="icon" href="data:,">',
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<nav class="bar" aria-label="Documentation" lang="en" dir="ltr">',
    barLink('/docs', 'Reference', 'en', path),
    ...links,
    '</nav>',
    ...body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function barLink(href: string, text: string, language: Language, path: string): string {
  const current = href === path ? ' aria-current="page"' : '';
  const foreign = language === 'en' ? '' : ` lang="${language}" hreflang="${language}"`;
  return `<a href="${href}"${foreign}${current}>${escapeHtml(text)}</a>`;
}

function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
