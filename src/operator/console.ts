import { browserPages } from '../http/browser-pages.ts';
import type { App } from '../http/edge.ts';
import type { PageFilesDeps } from '../http/page-files.ts';
import type { Deployment } from '../partners/keys.ts';

/** The operator's console: one page at every path below /console, which calls this API like any client. */
export function consoleRoutes(
  app: App,
  {
    config,
    ...deps
  }: PageFilesDeps & {
    config: {
      deployment: Deployment;
      consoleTilesUrl: string | null;
      consoleTilesAttribution: string | null;
    };
  },
): void {
  const { deployment, consoleTilesUrl, consoleTilesAttribution } = config;
  browserPages(app, deps, {
    base: '/console',
    entry: new URL('../../console/main.tsx', import.meta.url),
    title: 'Partner Booking Service: console',
    data: { deployment, tiles: consoleTilesUrl ?? '', 'tiles-attribution': consoleTilesAttribution ?? '' },
    imageOrigins: consoleTilesUrl === null ? [] : [new URL(consoleTilesUrl).origin],
    early: deployment === 'production',
  });
}
