import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Booked } from './appointment-fixtures.ts';
import { type Answer, call, type TestService } from './harness.ts';

/** Fixtures of the crew's page. */

/** The day of TEST_NOW, 08:00 in Riyadh. */
export const TODAY = '2026-11-22';

type Headers = Record<string, string>;

/** Calls /crew/api as a page of this origin does; the telephone is the cookie of its session. */
export function crew(
  service: TestService,
  telephone: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = {},
): Promise<Answer> {
  const cookie: Headers = telephone === null ? {} : { cookie: telephone };
  const page = { origin: service.url, 'sec-fetch-site': 'same-origin', ...cookie, ...headers };
  return call(`${service.url}/crew/api`, method, path, body, page);
}

/** A link of the operator; `token` is the one in its address. */
export async function makeCrewLink(service: TestService, teamId: string, body: unknown = {}) {
  const answer = await service.operator('POST', `/teams/${teamId}/crew-links`, body);
  assert.equal(answer.status, 201, answer.text);
  const { url, ...link } = answer.body.data;
  return { ...link, token: new URLSearchParams(new URL(url).hash.slice(1)).get('link')! };
}

export const openLink = (
  service: TestService,
  body: { link: string; pin?: string; teamId?: string },
  telephone: string | null = null,
  headers: Headers = {},
): Promise<Answer> => crew(service, telephone, 'POST', '/sessions', body, headers);

/** Signs a telephone in; returns the cookie of its session. */
export async function telephone(service: TestService, body: { link: string; pin?: string }): Promise<string> {
  const answer = await openLink(service, body);
  assert.equal(answer.status, 201, answer.text);
  return (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
}

/** A telephone of the team, signed in by a new link. */
export const telephoneOf = async (service: TestService, teamId: string): Promise<string> =>
  telephone(service, { link: (await makeCrewLink(service, teamId)).token });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export async function dayOf(service: TestService, cookie: string): Promise<any> {
  const answer = await crew(service, cookie, 'GET', '/day');
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** The body of a step that happened some minutes ago. */
export function stepBody(
  service: TestService,
  { appointment }: Booked,
  { to, minutesAgo = 0, ...more }: { to: string; minutesAgo?: number; [field: string]: unknown },
) {
  const now = service.clock.now();
  return {
    key: randomUUID(),
    to,
    startsAt: appointment.scheduledStartDateTime,
    happenedAt: new Date(now - minutesAgo * 60_000).toISOString(),
    sentAt: new Date(now).toISOString(),
    ...more,
  };
}

export const sendStep = (
  service: TestService,
  cookie: string,
  { appointmentId }: Pick<Booked, 'appointmentId'>,
  body: unknown,
): Promise<Answer> => crew(service, cookie, 'POST', `/visits/${appointmentId}/steps`, body);

/** Sends a step, which is taken or refused. */
export async function step(
  service: TestService,
  cookie: string,
  booking: Booked,
  fields: Parameters<typeof stepBody>[2],
) {
  const answer = await sendStep(service, cookie, booking, stepBody(service, booking, fields));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
