import type { FastifyRequest } from 'fastify';

/** Cookies of sessions: no script can read them, and no other site's page sends them. */
export type SessionCookie = { name: string; path: string; seconds: number; isSecure: boolean };

/** `Set-Cookie`; null: removes the cookie. */
export function setCookie({ name, path, seconds, isSecure }: SessionCookie, token: string | null): string {
  const lifetime = `Max-Age=${token === null ? 0 : seconds}`;
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${token ?? ''}; Path=${path}; ${lifetime}; HttpOnly; SameSite=Strict${secure}`;
}

/** Whether the browser is connected by TLS, also where a proxy does not say so. */
export const isSecure = ({ protocol }: FastifyRequest, publicUrl: string): boolean =>
  protocol === 'https' || publicUrl.startsWith('https:');

/** The value of the cookie; null: it was not sent. */
export function cookieOf({ headers }: FastifyRequest, name: string): string | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return null;
}
