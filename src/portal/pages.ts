import { browserPages } from '../http/browser-pages.ts';
import type { App } from '../http/edge.ts';
import type { Deployment } from '../partners/keys.ts';
import type { Logger } from '../runtime/logger.ts';

/** The portal of partners' developers: one page at every address below /portal, which uses /portal/api. */
export function portalPages(
  app: App,
  { config, logger }: { config: { deployment: Deployment }; logger: Logger },
): void {
  const { deployment } = config;
  browserPages(app, logger, {
    base: '/portal',
    entry: new URL('../../console/portal.tsx', import.meta.url),
    title: 'Partner Booking Service: portal',
    data: { deployment },
    imageOrigins: [],
    early: deployment === 'production',
  });
}
