import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { VISIT_STEPS } from '../src/crew/rules.ts';

/**
 * A day of crews over HTTP: two telephones of each team take every step of its visits. The test plays it with a few
 * crews, bench/crews.ts with a hundred.
 */

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Data = any;

export type Street = {
  url: string;
  operatorUrl: string;
  operatorToken: string;
  /** Of the partner that booked all visits. */
  key: string;
  /** Moves the service's clock on. */
  wait(milliseconds: number): Promise<void>;
};

export type PlayedDay = { visits: number; reads: number[]; steps: number[] };

/** Telephones that send at once. */
const TOGETHER = 10;
const MINUTES_OF_A_STEP = 10;

async function ask(address: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(address, init);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  return answer;
}

function json(method: string, body: unknown, headers: Record<string, string>): RequestInit {
  return { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

async function telephone({ url, operatorUrl, operatorToken }: Street, teamId: string): Promise<string> {
  const authorization = `Bearer ${operatorToken}`;
  const links = `${operatorUrl}/operator/teams/${teamId}/crew-links`;
  const { data } = (await (await ask(links, json('POST', {}, { authorization }))).json()) as Data;
  const link = new URLSearchParams(new URL(data.url).hash.slice(1)).get('link');
  const page = { origin: url, 'sec-fetch-site': 'same-origin' };
  const signedIn = await ask(`${url}/crew/api/sessions`, json('POST', { link }, page));
  return (signedIn.headers.get('set-cookie') ?? '').split(';')[0]!;
}

/**
 * Plays a day that begins now: of each team as many visits as `starts` names, in milliseconds from now. Returns how long
 * requests took, in milliseconds. Throws when office, street and partner do not agree at the end, or a move is not one event.
 */
export async function playDay(
  street: Street,
  { teamIds, date, starts }: { teamIds: readonly string[]; date: string; starts: readonly number[] },
): Promise<PlayedDay> {
  const phones: string[] = [];
  for (const teamId of teamIds) phones.push(await telephone(street, teamId), await telephone(street, teamId));
  const played: PlayedDay = { visits: starts.length * teamIds.length, reads: [], steps: [] };
  let passed = 0;
  for (const [place, start] of starts.entries()) {
    for (const [nth, to] of VISIT_STEPS.entries()) {
      const at = start + nth * MINUTES_OF_A_STEP * 60_000;
      await street.wait(at - passed);
      passed = at;
      for (let from = 0; from < phones.length; from += TOGETHER) {
        const some = phones.slice(from, from + TOGETHER);
        await Promise.all(some.map((phone) => takeStep(street, phone, { place, to }, played)));
      }
    }
  }
  await assertOneTruth(street, { date, phones, visits: played.visits });
  return played;
}

/** A telephone reads its day and takes the next step of a visit; the other one of its team may have been faster. */
async function takeStep(
  { url }: Street,
  cookie: string,
  { place, to }: { place: number; to: string },
  { reads, steps }: PlayedDay,
): Promise<void> {
  const page = { origin: url, 'sec-fetch-site': 'same-origin', cookie };
  let began = performance.now();
  const { data } = (await (await ask(`${url}/crew/api/day`, { headers: page })).json()) as Data;
  reads.push(performance.now() - began);
  const { id, startsAt } = data.visits[place];
  const stamp = new Date().toISOString();
  const body = { key: randomUUID(), to, startsAt, happenedAt: stamp, sentAt: stamp };
  began = performance.now();
  const taken = await ask(`${url}/crew/api/visits/${id}/steps`, json('POST', body, page));
  steps.push(performance.now() - began);
  const { outcome, visit } = ((await taken.json()) as Data).data;
  assert.deepEqual([outcome, visit.status], ['DONE', to]);
}

/** Knowledge of office, street and partner about each visit, and its moves in the feed: one event for each. */
async function assertOneTruth(
  street: Street,
  { date, phones, visits }: { date: string; phones: readonly string[]; visits: number },
): Promise<void> {
  const office = new Map<string, string>();
  const authorization = `Bearer ${street.operatorToken}`;
  for (let page = 1, pages = 1; page <= pages; page++) {
    const path = `/operator/appointments?date=${date}&limit=100&page=${page}`;
    const answer = await ask(`${street.operatorUrl}${path}`, { headers: { authorization } });
    const { data, meta } = (await answer.json()) as Data;
    for (const { name, status } of data) office.set(name, status);
    pages = meta.totalPages;
  }
  assert.equal(office.size, visits);

  const seen = new Map<string, string>();
  for (const cookie of phones) {
    const answer = await ask(`${street.url}/crew/api/day`, { headers: { cookie } });
    for (const { name, status } of ((await answer.json()) as Data).data.visits) seen.set(name, status);
  }

  const told = new Map<string, string[]>();
  const events = 'booking.appointment_status_changed';
  for (let after = '', hasMore = true; hasMore; ) {
    const path = `/v1/partners/events?events=${events}&limit=100${after}`;
    const answer = await ask(`${street.url}${path}`, { headers: { 'x-api-key': street.key } });
    const { data, meta } = (await answer.json()) as Data;
    for (const { payload } of data) {
      const name = payload.appointment.name;
      told.set(name, [...(told.get(name) ?? []), payload.appointmentStatusChange.to]);
    }
    after = `&after=${encodeURIComponent(meta.nextCursor)}`;
    hasMore = meta.hasMore;
  }
  for (const [name, status] of office) {
    assert.equal(status, 'Finished', name);
    assert.equal(seen.get(name), status, `${name}: the street`);
    assert.deepEqual(told.get(name), [...VISIT_STEPS], `${name}: the partner`);
  }
}
