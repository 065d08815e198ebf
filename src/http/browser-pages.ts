import { notFound } from '../base/errors.ts';
import type { App } from './edge.ts';
import { html } from './html.ts';
import { type Browsers, bundlePages, type PageBundle, typeOf } from './page-bundle.ts';
import { findPageFile, keepBuild, type PageFilesDeps } from './page-files.ts';
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
  files: PageBundle['files'];
  /** Also those of other builds, once they were asked for. */
  assets: Map<string, StaticHandler>;
  worker: StaticHandler | null;
};

/** The page's routes, with the files of other builds. It is bundled for the first reader, unless `early`. */
export function browserPages(app: App, deps: PageFilesDeps, pages: BrowserPages): void {
  const { base, early } = pages;
  const keeper = keepBuild(deps, base);
  app.addHook('onClose', () => keeper.close());
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
      ready()
        .then(({ files }) => keeper.keep(files))
        .catch((error: unknown) =>
          deps.logger.error({ err: error }, `the pages of ${base} could not be bundled`),
        );
      done();
    });
  }

  const page: StaticHandler = async (request, reply) => {
    const { page, files } = await ready();
    // Before a browser asks another build for them.
    await keeper.keep(files);
    return page(request, reply);
  };
  app.get(base, page);
  app.get<{ Params: { '*': string } }>(`${base}/*`, (request, reply) => {
    // An API below the base responds to unknown paths with an error, not with the page.
    if (/^api(?:\/|$)/.test(request.params['*'])) throw notFound('Route');
    return page(request, reply);
  });
  app.get<{ Params: { name: string } }>(`${base}/assets/:name`, async (request, reply) => {
    const { assets } = await ready();
    const { name } = request.params;
    const asset = assets.get(name) ?? (await ofAnotherBuild(name));
    if (asset === null) throw notFound('File of the page');
    assets.set(name, asset);
    return asset(request, reply);
  });

  async function ofAnotherBuild(name: string): Promise<StaticHandler | null> {
    const type = typeOf(name);
    const body = type === undefined ? null : await findPageFile(deps.db, base, name);
    return body && fileHandler(type!, body);
  }
  if (pages.worker === undefined) return;
  app.get(`${base}/worker.js`, async (request, reply) => (await ready()).worker!(request, reply));
}

async function makePages(pages: BrowserPages): Promise<Made> {
  const bundle = await bundlePages(pages.entry, pages.browsers);
  const { files } = bundle;
  const assets = new Map([...files].map(([name, { type, body }]) => [name, fileHandler(type, body)]));
  const page = staticHandler({
    type: 'text/html; charset=utf-8',
    caching: PAGE_CACHING,
    headers: pageHeaders(pages.imageOrigins),
    load: async () => pageOf(bundle, pages),
  });
  return { page, files, assets, worker: await workerOf(pages) };
}

const fileHandler = (type: string, body: Buffer): StaticHandler =>
  staticHandler({ type, caching: ENDLESS_CACHING, headers: INERT, load: async () => body });

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
