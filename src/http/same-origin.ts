import type { FastifyRequest } from 'fastify';
import { isRead } from './methods.ts';

/**
 * Whether a page of this origin sent the request: a cookie alone does not prove it, because browsers may attach it to
 * requests of other sites. `Sec-Fetch-Site` decides where a browser sends it; a change must also name this host in
 * `Origin`, which every browser sends with it.
 */
export function isSameOrigin({ method, headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && isRead(method))) return false;
  if (isRead(method)) return true;
  const { origin } = headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === hostOf(origin, host);
}

/** The host as a URL of the origin's scheme spells it, without the scheme's own port. */
function hostOf(origin: string, host: string): string | null {
  const address = `${new URL(origin).protocol}//${host}`;
  return URL.canParse(address) ? new URL(address).host : null;
}
