import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { App } from '../http/edge.ts';
import { ENDLESS_CACHING, SHORT_CACHING, type StaticContent, staticRoute } from '../http/static-content.ts';
import { FILES, GUIDES, readDocsFile, readGuide, servedMarkdown } from './guides.ts';
import { llmsText } from './llms.ts';
import {
  GUIDE_HEADERS,
  guidePage,
  OPERATOR_REFERENCE,
  PARTNER_REFERENCE,
  type Reference,
  referenceHeaders,
  referencePage,
} from './pages.ts';
import { renderGuide, sectionsOf } from './render.ts';
import { type DOCUMENTS, forScalar, type Switches, servedDocument } from './served-document.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** For files that are not pages: a browser that renders one as a page must not run anything. */
const INERT = { 'content-security-policy': `default-src 'none'; frame-ancestors 'none'` };

/** The version of Scalar's package, by which readers cache the script. */
export const SCALAR_VERSION = '1.72.1';

/** The version of the guides' search, likewise. */
export const MINISEARCH_VERSION = '7.2.0';

const pageFile = (name: string): Promise<Buffer> => readFile(new URL(name, import.meta.url));

type Route = Pick<StaticContent, 'type' | 'load'> & Partial<StaticContent>;

/** A route of static content: cached briefly, and inert. */
function serve(app: App, path: string, { caching = SHORT_CACHING, headers = INERT, ...route }: Route): void {
  staticRoute(app, path, { caching, headers, ...route });
}

/** A reference page, with all its files below its path. */
function serveReference(
  app: App,
  reference: Reference,
  side: keyof typeof DOCUMENTS,
  switches: Switches,
): void {
  const { path, document } = reference;
  const script = `${path}/scalar-${SCALAR_VERSION}.js`;
  serve(app, path, {
    type: HTML_TYPE,
    headers: referenceHeaders(reference),
    load: async () => referencePage(reference, script),
  });
  serve(app, script, {
    type: SCRIPT_TYPE,
    caching: ENDLESS_CACHING,
    // Imported for the first reader: processes without readers never load it.
    load: async () => (await import('./scalar.ts')).readScalar(),
  });
  serve(app, `${path}/pages.css`, { type: 'text/css; charset=utf-8', load: () => pageFile('pages.css') });
  serve(app, document, {
    type: JSON_TYPE,
    load: async () => JSON.stringify(await servedDocument(app, side, switches)),
  });
  serve(app, `${path}/reference.json`, {
    type: JSON_TYPE,
    load: async () => JSON.stringify(forScalar(await servedDocument(app, side, switches))),
  });
}

/**
 * The developer documentation, without a key and outside `/v1`: the reference, the guides, the OpenAPI document. Every
 * file has its own route, so no path of a request is looked up on the disk.
 */
export function referenceRoutes(app: App, config: Switches & { publicUrl: string }): void {
  // A port that the system chooses is known only after listening.
  const publicUrl = (): string => (config.publicUrl.endsWith(':0') ? app.listeningOrigin : config.publicUrl);
  serveReference(app, PARTNER_REFERENCE, 'partner', config);
  const search = `/docs/minisearch-${MINISEARCH_VERSION}.js`;
  serve(app, search, {
    type: SCRIPT_TYPE,
    caching: ENDLESS_CACHING,
    load: async () => (await import('./search.ts')).readMiniSearch(),
  });
  serve(app, '/docs/search.json', {
    type: JSON_TYPE,
    load: async () => JSON.stringify(await (await import('./search.ts')).searchEntries(publicUrl())),
  });
  serve(app, '/docs/guide-page.js', { type: SCRIPT_TYPE, load: () => pageFile('guide-page.js') });
  for (const guide of GUIDES) {
    serve(app, `/docs/${guide.name}`, {
      type: HTML_TYPE,
      headers: GUIDE_HEADERS,
      load: async () => {
        const html = await renderGuide(await readGuide(guide, publicUrl()), guide.source);
        return guidePage(guide, html, sectionsOf(html), search);
      },
    });
    serve(app, `/docs/${guide.name}.md`, {
      type: MARKDOWN_TYPE,
      load: () => servedMarkdown(guide, publicUrl()),
    });
  }
  for (const file of FILES) {
    const { name, type, saved } = file;
    serve(app, `/docs/${name}`, {
      type,
      headers: saved
        ? { ...INERT, 'content-disposition': `attachment; filename="${basename(name)}"` }
        : INERT,
      uncompressed: /\.(?:tgz|whl)$/.test(name),
      load: () => readDocsFile(file),
    });
  }
  serve(app, '/llms.txt', {
    type: 'text/plain; charset=utf-8',
    load: async () => llmsText(publicUrl()),
  });
}

/**
 * The reference and the document of the operator API, without a token. They are public: they describe requests, and
 * return no data.
 */
export function operatorReferenceRoutes(app: App, switches: Switches): void {
  serveReference(app, OPERATOR_REFERENCE, 'operator', switches);
}
