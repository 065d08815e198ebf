import type { Deps } from '../deps.ts';
import type { App } from '../platform/http.ts';

export function partnerRoutes(_app: App, _deps: Deps): void {}
