import { readFile } from 'node:fs/promises';
import type { App } from '../platform/http.ts';
import { ENDLESS_CACHING, SHORT_CACHING, staticRoute } from '../platform/static-content.ts';
import { ATTACHMENTS, GUIDES, readAttachment, readGuide, renderGuide } from './guides.ts';
import { llmsText } from './llms.ts';
import { GUIDE_HEADERS, guidePage, REFERENCE_HEADERS, referencePage } from './pages.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** For what is no page: should a browser show it as one all the same, it may do nothing. */
const INERT = { 'content-security-policy': `default-src 'none'; frame-ancestors 'none'` };

/** Of Scalar's package; readers keep the script for as long as this stays the same. */
export const SCALAR_VERSION = '1.72.1';

/** The documents are made by a script and committed at the root of the repository. */
function readDocument(name: string): Promise<Buffer> {
  return readFile(new URL(`../../${name}`, import.meta.url));
}

/**
 * What partners' developers read, without a key and outside `/v1`: the reference, the guides, the OpenAPI document.
 * Every file has a route of its own, so no path that a reader sends is ever looked up on the disk.
 */
export function referenceRoutes(app: App, { publicUrl }: { publicUrl: string }): void {
  const script = `/docs/scalar-${SCALAR_VERSION}.js`;
  staticRoute(app, '/docs', {
    type: HTML_TYPE,
    caching: SHORT_CACHING,
    headers: REFERENCE_HEADERS,
    load: async () => referencePage(script),
  });
  staticRoute(app, script, {
    type: 'text/javascript; charset=utf-8',
    caching: ENDLESS_CACHING,
    headers: INERT,
    // Loaded with the first reader: nothing of it is in a process that nobody reads from.
    load: async () => (await import('./scalar.ts')).readScalar(),
  });
  for (const guide of GUIDES) {
    staticRoute(app, `/docs/${guide.name}`, {
      type: HTML_TYPE,
      caching: SHORT_CACHING,
      headers: GUIDE_HEADERS,
      load: async () => guidePage(guide, await renderGuide(await readGuide(guide))),
    });
    staticRoute(app, `/docs/${guide.name}.md`, {
      type: MARKDOWN_TYPE,
      caching: SHORT_CACHING,
      headers: INERT,
      load: () => readGuide(guide),
    });
  }
  for (const name of ATTACHMENTS) {
    staticRoute(app, `/docs/${name}`, {
      type: JSON_TYPE,
      caching: SHORT_CACHING,
      headers: INERT,
      load: () => readAttachment(name),
    });
  }
  staticRoute(app, '/openapi.json', {
    type: JSON_TYPE,
    caching: SHORT_CACHING,
    headers: INERT,
    load: () => readDocument('openapi.json'),
  });
  staticRoute(app, '/llms.txt', {
    type: 'text/plain; charset=utf-8',
    caching: SHORT_CACHING,
    headers: INERT,
    load: async () => llmsText(publicUrl),
  });
}

/** The document of the operator's interface. It is no secret: it says what could be asked, and answers nothing. */
export function operatorReferenceRoutes(app: App): void {
  staticRoute(app, '/openapi.operator.json', {
    type: JSON_TYPE,
    caching: SHORT_CACHING,
    headers: INERT,
    load: () => readDocument('openapi.operator.json'),
  });
}
