import { browserPages } from '../http/browser-pages.ts';
import type { App } from '../http/edge.ts';
import type { PageFilesDeps } from '../http/page-files.ts';
import type { Deployment } from '../partners/keys.ts';

/** The portal of partners' developers: one page at every address below /portal, which uses /portal/api. */
export function portalPages(
  app: App,
  { config, ...deps }: PageFilesDeps & { config: { deployment: Deployment } },
): void {
  const { deployment } = config;
  browserPages(app, deps, {
    base: '/portal',
    entry: new URL('../../console/portal.tsx', import.meta.url),
    title: 'Partner Booking Service: portal',
    data: { deployment },
    imageOrigins: [],
    early: deployment === 'production',
  });
}
