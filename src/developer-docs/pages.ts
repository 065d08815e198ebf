import { DIRECTIONS, inlined, LANGUAGE_NAMES, type Language, otherThan } from '../http/bilingual-pages.ts';
import { type Html, html, trustedHtml } from '../http/html.ts';
import { GUIDES, type Guide, twinOf } from './guides.ts';
import type { Section } from './render.ts';
import WORDS from './words.json' with { type: 'json' };

/** The HTML around the guides and the references: one bar of links, one style sheet, nothing from other hosts. */
const TITLE = 'Partner Booking Service';

/** Scalar's configuration; every feature that would reach another host is off. */
const SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // The bar has the link to the document.
  documentDownloadType: 'none',
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // Fields in the order of the document.
  orderSchemaPropertiesBy: 'preserve',
};

/** A reference: its path, its document, and the authentication of its requests. */
export type Reference = { path: string; title: string; document: string; securityScheme: string };

export const PARTNER_REFERENCE: Reference = {
  path: '/docs',
  title: TITLE,
  document: '/openapi.json',
  securityScheme: 'ApiKey',
};

/** Below /operator, where proxies that separate the APIs by path find it. */
export const OPERATOR_REFERENCE: Reference = {
  path: '/operator/docs',
  title: `${TITLE}: operator`,
  document: '/openapi.operator.json',
  securityScheme: 'OperatorToken',
};

function startOf({ title, path, securityScheme }: Reference): string {
  const authentication = { preferredSecurityScheme: securityScheme };
  return `Scalar.createApiReference('#reference',${JSON.stringify({ url: `${path}/reference.json`, title, ...SETTINGS, authentication })})`;
}

const policyOf = (...sources: readonly string[]): Record<string, string> => ({
  'content-security-policy': [
    `default-src 'none'`,
    ...sources,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
});

/** The scripts of guides belong to the service, and request only the index of the search from it. */
export const GUIDE_HEADERS = policyOf(
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  'img-src data:', // the empty icon
);

/** Scalar adds style sheets and style attributes; its scripts and requests stay with this service. */
export const referenceHeaders = (reference: Reference): Record<string, string> =>
  policyOf(
    `script-src 'self' ${inlined(startOf(reference)).hash}`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
  );

/** A reference: the bar, and Scalar from `script` with the document. */
export function referencePage(reference: Reference, script: string): string {
  const { path, title, document } = reference;
  const links =
    reference === PARTNER_REFERENCE
      ? partnerLinks(path, 'en', '/docs/introduction.ar')
      : [barLink(path, 'Operator reference', path), barLink(document, 'OpenAPI', path)];
  return page(
    'en',
    { title: `${title}: reference`, assets: path, links },
    html`<div id="reference"></div>
<noscript><main class="guide"><p>The reference needs JavaScript. Without it, there is the document itself:
<a href="${document}">${document.slice(1)}</a>.</p></main></noscript>
<script src="${script}"></script>
<script>${trustedHtml(startOf(reference))}</script>`,
  );
}

/** A guide's page; `rendered` is the guide as HTML, `search` the address of the search's module. */
export function guidePage(
  guide: Guide,
  rendered: string,
  sections: readonly Section[],
  search: string,
): string {
  const { name, title, language } = guide;
  const words = WORDS[language];
  const path = `/docs/${name}`;
  // Hidden until its script shows it.
  return page(
    language,
    { title: `${title}: ${TITLE}`, assets: '/docs', links: partnerLinks(path, language, switchOf(guide)) },
    html`<div class="layout">
<aside class="side" aria-label="${words.contents}">
<form class="search" role="search" data-module="${search}" data-entries="/docs/search.json" hidden>
<input type="search" placeholder="${words.search}" aria-label="${words.search}" autocomplete="off">
<ul class="found" hidden></ul>
</form>
${contents(words.contents, sections)}
</aside>
<main class="guide">
${trustedHtml(rendered.trimEnd())}
<p class="source"><a href="${path}.md">${words.source}</a></p>
</main>
</div>
<script type="module" src="/docs/guide-page.js"></script>`,
  );
}

/** The headings of the guide as links, when there are several. */
function contents(label: string, sections: readonly Section[]): Html | null {
  const shown = sections.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return null;
  const items = shown.map(
    ({ id, depth, title }) =>
      html`<li${depth === 3 && html` class="deeper"`}><a href="#${id}">${title}</a></li>\n`,
  );
  return html`<details class="contents"><summary>${label}</summary><ul>
${items}</ul></details>`;
}

/** The target of the language switch: the same guide, or the introduction when it exists in one language only. */
function switchOf(guide: Guide): string {
  const name = twinOf(guide)?.name ?? (guide.language === 'ar' ? 'introduction' : 'introduction.ar');
  return `/docs/${name}`;
}

/** The bar in one language. The guides are a menu, since no window has room for all of them in a row. */
function partnerLinks(path: string, language: Language, otherLanguage: string): Html[] {
  const words = WORDS[language];
  const other = otherThan(language);
  const guides = GUIDES.filter((guide) => guide.about !== null && guide.language === language);
  return [
    barLink('/docs', words.reference, path),
    html`<details class="menu"><summary>${words.guides}</summary><ul>
${guides.map(({ name, title }) => html`<li>${barLink(`/docs/${name}`, title, path)}</li>\n`)}</ul></details>\n`,
    barLink('/openapi.json', 'OpenAPI', path),
    html`<a class="language" href="${otherLanguage}" lang="${other}" hreflang="${other}">${LANGUAGE_NAMES[other]}</a>\n`,
  ];
}

/** `assets` is the folder of the style sheet: each listener has its own. */
type Frame = { title: string; assets: string; links: readonly Html[] };

/** The icon is empty, so that browsers request none. */
function page(language: Language, { title, assets, links }: Frame, body: Html): string {
  return String(html`<!doctype html>
<html lang="${language}" dir="${DIRECTIONS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/pages.css">
</head>
<body>
<nav class="bar" aria-label="${WORDS[language].navigation}">
${links}</nav>
${body}
</body>
</html>
`);
}

function barLink(href: string, text: string, path: string): Html {
  return html`<a href="${href}"${href === path && html` aria-current="page"`}>${text}</a>`;
}
