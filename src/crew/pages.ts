import { browserPages } from '../http/browser-pages.ts';
import type { App } from '../http/edge.ts';
import type { PageFilesDeps } from '../http/page-files.ts';
import type { Deployment } from '../partners/keys.ts';

/** The crew's page, which uses /crew/api, and works without a network. */
export function crewPages(
  app: App,
  { config, ...deps }: PageFilesDeps & { config: { deployment: Deployment } },
): void {
  browserPages(app, deps, {
    base: '/crew',
    entry: new URL('../../console/crew.tsx', import.meta.url),
    worker: new URL('../../console/crew-worker.ts', import.meta.url),
    title: 'Partner Booking Service: crew',
    data: { deployment: config.deployment },
    imageOrigins: [],
    browsers: 'old',
    early: config.deployment === 'production',
  });
}
