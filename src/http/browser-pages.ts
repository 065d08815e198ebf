import { notFound } from '../base/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { App } from './edge.ts';
import { html } from './html.ts';
import { type Browsers, bundlePages, type PageBundle } from './page-bundle.ts';
import { ENDLESS_CACHING, type StaticHandler, staticHandler } from './static-content.ts';

/** One page at every path below a base. Its script calls an API like any client. */
export type BrowserPages = {
  /** `/console` */
  base: string;
  /** The script's source file. */
  entry: URL;
  /** The source file of its service worker, which is served as `<base>/worker.js`. */
  worker?: URL;
  title: string;
  /** Attributes of the root element that the script reads, without `data-`. */
  data: Readonly<Record<string, string>>;
  /** Origins of images beside this one. */
  imageOrigins: readonly string[];
  /** For which it is bundled; default: current. */
  browsers?: Browsers;
  /** Bundle when the process starts to listen, so that no reader waits and errors in the sources are logged at once. */
  early: boolean;
};

/** The page names the current files, so it is revalidated each time, mostly with 304. */
const PAGE_CACHING = 'no-cache';

const pageHeaders = (imageOrigins: readonly string[]) => ({
  'content-security-policy': [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `connect-src 'self'`,
    `img-src ${["'self'", 'data:', ...imageOrigins].join(' ')}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  // The fragment may hold a token; the referrer stays private, path included.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
});

/** For files that are not pages: a browser that renders one as a page must not run anything. */
const INERT = { 'content-security-policy': `default-src 'none'; frame-ancestors 'none'` };

/** For a service worker, which loads the page and its files for the whole base. */
const workerHeaders = (base: string) => ({
  'content-security-policy': `default-src 'none'; connect-src 'self'; frame-ancestors 'none'`,
  'service-worker-allowed': base,
});

type Made = {
  page: StaticHandler;
  assets: ReadonlyMap<string, StaticHandler>;
  worker: StaticHandler | null;
};

/** The page's routes. It is bundled for the first reader, unless `early`. */
export function browserPages(app: App, logger: Logger, pages: BrowserPages): void {
  const { base, early } = pages;
  let made: Promise<Made> | null = null;
  const ready = (): Promise<Made> => {
    made ??= makePages(pages).catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
  if (early) {
    app.addHook('onListen', (done) => {
      ready().catch((error: unknown) =>
        logger.error({ err: error }, `the pages of ${base} could not be bundled`),
      );
      done();
    });
  }

  const page: StaticHandler = async (request, reply) => (await ready()).page(request, reply);
  app.get(base, page);
  app.get<{ Params: { '*': string } }>(`${base}/*`, (request, reply) => {
    // An API below the base responds to unknown paths with an error, not with the page.
    if (/^api(?:\/|$)/.test(request.params['*'])) throw notFound('Route');
    return page(request, reply);
  });
  app.get<{ Params: { name: string } }>(`${base}/assets/:name`, async (request, reply) => {
    const asset = (await ready()).assets.get(request.params.name);
    if (asset === undefined) throw notFound('File of the page');
    return asset(request, reply);
  });
  if (pages.worker === undefined) return;
  app.get(`${base}/worker.js`, async (request, reply) => (await ready()).worker!(request, reply));
}

async function makePages(pages: BrowserPages): Promise<Made> {
  const bundle = await bundlePages(pages.entry, pages.browsers);
  const assets = [...bundle.files].map(([name, { type, body }]): [string, StaticHandler] => [
    name,
    staticHandler({ type, caching: ENDLESS_CACHING, headers: INERT, load: async () => body }),
  ]);
  const page = staticHandler({
    type: 'text/html; charset=utf-8',
    caching: PAGE_CACHING,
    headers: pageHeaders(pages.imageOrigins),
    load: async () => pageOf(bundle, pages),
  });
  return { page, assets: new Map(assets), worker: await workerOf(pages) };
}

async function workerOf({ base, worker, browsers }: BrowserPages): Promise<StaticHandler | null> {
  if (worker === undefined) return null;
  const { script, files } = await bundlePages(worker, browsers);
  const { type, body } = files.get(script)!;
  const headers = workerHeaders(base);
  return staticHandler({ type, caching: PAGE_CACHING, headers, load: async () => body });
}

function pageOf({ script, styles, preloads }: PageBundle, { base, title, data }: BrowserPages): string {
  const assets = `${base}/assets`;
  const attributes = Object.entries({ base, ...data }).map(([name, value]) => html` data-${name}="${value}"`);
  return html`<!doctype html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${styles !== null && html`<link rel="stylesheet" href="${assets}/${styles}">`}
${preloads.map((name) => html`<link rel="modulepreload" href="${assets}/${name}">`)}
<script type="module" src="${assets}/${script}"></script>
</head>
<body><noscript>This page needs JavaScript.</noscript><div id="console"></div></body>
</html>
`.toString();
}
