import assert from 'node:assert/strict';
import { type Answer, call, type TestService } from './harness.ts';

/** Fixtures of the portal. */

/** Calls /portal/api with the token of a session. */
export function portal(
  service: TestService,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  return call(`${service.url}/portal/api`, method, path, body, headers);
}

/** Signs in; returns the token of the session. */
export async function signIn(
  service: TestService,
  body: { link: string } | { key: string },
): Promise<string> {
  const answer = await portal(service, null, 'POST', '/sessions', body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.token;
}

/** A link of the operator; `token` is the one in its address. */
export async function makeLink(service: TestService, partnerId: string, body: unknown = {}) {
  const answer = await service.operator('POST', `/partners/${partnerId}/portal-links`, body);
  assert.equal(answer.status, 201, answer.text);
  const { url, ...link } = answer.body.data;
  return { ...link, token: new URLSearchParams(new URL(url).hash.slice(1)).get('link')! };
}

export function refused(
  answer: Answer,
  status: number,
  code: string,
  details: Record<string, unknown> = {},
): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.error.code, code);
  for (const [name, value] of Object.entries(details))
    assert.equal(answer.body.error.details[name], value, name);
}
