import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { App } from '../http/edge.ts';
import { html } from '../http/html.ts';
import { bundlePages, type PageBundle } from '../http/page-bundle.ts';
import { ENDLESS_CACHING, type StaticHandler, staticHandler } from '../http/static-content.ts';

/** The operator's console: one page at every address below /console, which asks this interface as any client does. */

const ENTRY = new URL('../../console/main.tsx', import.meta.url);
const ASSETS = '/console/assets';

/** The page names the current files, so it is asked for anew each time; mostly the response is 304. */
const PAGE_CACHING = 'no-cache';

/** `tilesOrigin`: from where the map's images come; null: there are none. */
const pageHeaders = (tilesOrigin: string | null) => ({
  'content-security-policy': [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `connect-src 'self'`,
    `img-src 'self' data:${tilesOrigin === null ? '' : ` ${tilesOrigin}`}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  // The token may stand in the fragment of the address; no other site learns even the path.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
});

/** For what is no page: should a browser show it as one all the same, it may do nothing. */
const INERT = { 'content-security-policy': `default-src 'none'; frame-ancestors 'none'` };

type Console = { page: StaticHandler; assets: ReadonlyMap<string, StaticHandler> };

/**
 * The console's routes. It is bundled when the first reader comes; in production as soon as the process listens, so
 * that no reader waits and faulty sources are told at once.
 */
export function consoleRoutes(app: App, { config, logger }: Pick<Deps, 'config' | 'logger'>): void {
  let made: Promise<Console> | null = null;
  const ready = (): Promise<Console> => {
    made ??= makeConsole(config).catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
  if (config.deployment === 'production') {
    app.addHook('onListen', (done) => {
      ready().catch((error: unknown) => logger.error({ err: error }, 'the console could not be bundled'));
      done();
    });
  }

  const page: StaticHandler = async (request, reply) => (await ready()).page(request, reply);
  app.get('/console', page);
  app.get('/console/*', page);
  app.get<{ Params: { name: string } }>(`${ASSETS}/:name`, async (request, reply) => {
    const asset = (await ready()).assets.get(request.params.name);
    if (asset === undefined) throw notFound('File of the console');
    return asset(request, reply);
  });
}

type Settings = Pick<Deps['config'], 'deployment' | 'consoleTilesUrl' | 'consoleTilesAttribution'>;

async function makeConsole(settings: Settings): Promise<Console> {
  const bundle = await bundlePages(ENTRY);
  const assets = [...bundle.files].map(([name, { type, body }]): [string, StaticHandler] => [
    name,
    staticHandler({ type, caching: ENDLESS_CACHING, headers: INERT, load: async () => body }),
  ]);
  const page = staticHandler({
    type: 'text/html; charset=utf-8',
    caching: PAGE_CACHING,
    headers: pageHeaders(settings.consoleTilesUrl === null ? null : new URL(settings.consoleTilesUrl).origin),
    load: async () => pageOf(bundle, settings),
  });
  return { page, assets: new Map(assets) };
}

function pageOf(
  { script, styles, preloads }: PageBundle,
  { deployment, consoleTilesUrl, consoleTilesAttribution }: Settings,
): string {
  return html`<!doctype html>
<html lang="en" data-deployment="${deployment}" data-tiles="${consoleTilesUrl ?? ''}" data-tiles-attribution="${consoleTilesAttribution ?? ''}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Partner Booking Service: console</title>
<link rel="icon" href="data:,">
${styles !== null && html`<link rel="stylesheet" href="${ASSETS}/${styles}">`}
${preloads.map((name) => html`<link rel="modulepreload" href="${ASSETS}/${name}">`)}
<script type="module" src="${ASSETS}/${script}"></script>
</head>
<body><noscript>The console needs JavaScript.</noscript><div id="console"></div></body>
</html>
`.toString();
}
