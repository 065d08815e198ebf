import type { Instant } from '../base/clock.ts';
import { findFirstHoldSince } from '../bookings/hold-queries.ts';
import { type HoldStatus, holdStatus } from '../bookings/hold-rules.ts';
import type { Queryable } from '../db/connection.ts';
import { partnerRows } from '../partners/account-queries.ts';
import { findRequest, listRequests } from '../requests/queries.ts';
import type { LoggedRequest } from '../requests/rules.ts';
import type { CreationBody, Evidence } from './evaluate.ts';
import { findFirstOutcome, listStepDeliveries, type StepDelivery } from './queries.ts';
import { type PointId, REACTION_TIME, STEPS } from './rules.ts';
import type { CertificationRow } from './table.ts';

/** The largest numbers of requests and of bodies that are read, the newest ones. */
const MAX_REQUESTS = 2_000;
const MAX_BODIES = 100;

/** Reads the requests and deliveries since the start of the certification. */
export async function gatherEvidence(
  db: Queryable,
  now: Instant,
  certification: CertificationRow,
): Promise<Evidence> {
  const { partner_id: partnerId, started_at: startedAt } = certification;
  const requests = await listSince(db, partnerId, startedAt);
  const steps = new Map<PointId, { at: Instant; bookingId: string; deliveries: StepDelivery[] }>();
  for (const { point, bookingId, afterSequence, at } of certification.provoked) {
    const events = STEPS.find((step) => step.point === point)?.events ?? 1;
    const wanted = { bookingId, afterSequence, limit: events };
    const deliveries = await listStepDeliveries(db, certification.subscription_id, wanted);
    steps.set(point, { at, bookingId, deliveries });
  }
  const creations = requests.filter(
    ({ method, route }) => method === 'POST' && route === '/v1/partners/bookings',
  );
  const lostAt = steps.get('lost-event')?.at ?? null;
  const feeds = requests.filter(
    ({ route, status, at }) =>
      lostAt !== null &&
      route === '/v1/partners/events' &&
      status === 200 &&
      at >= lostAt &&
      at < lostAt + REACTION_TIME,
  );
  const readEvents = new Set<string>();
  for (const feed of feeds.slice(-MAX_BODIES)) {
    const bodies = (await findRequest(db, partnerId, feed.id))?.bodies;
    const lost = steps.get('lost-event')?.deliveries[0]?.event_id;
    // Of a long page only the beginning is kept: the rest counts as read.
    if (lost !== undefined && (bodies?.response?.includes(lost) || bodies?.responseCut)) readEvents.add(lost);
  }
  return {
    now,
    startedAt,
    requests,
    creations: await Promise.all(
      creations
        .slice(-MAX_BODIES)
        .map(async (request) => ({ ...request, body: await bodyOf(db, partnerId, request) })),
    ),
    steps,
    readEvents,
    firstOutcome: await findFirstOutcome(db, partnerId, startedAt),
    firstHold: await findFirstHold(db, now, partnerId, startedAt),
    isLimited: (await partnerRows.find(db, partnerId))?.rate_limit_per_minute != null,
  };
}

async function findFirstHold(
  db: Queryable,
  now: Instant,
  partnerId: string,
  since: Instant,
): Promise<HoldStatus | null> {
  const hold = await findFirstHoldSince(db, partnerId, since);
  return hold && holdStatus(hold, now);
}

async function listSince(db: Queryable, partnerId: string, from: Instant): Promise<LoggedRequest[]> {
  const found: LoggedRequest[] = [];
  let before: string | null = null;
  do {
    const page = await listRequests(
      db,
      { partnerId, from },
      { limit: 500, ...(before !== null && { before }) },
    );
    found.push(...page.requests);
    before = page.nextCursor;
  } while (before !== null && found.length < MAX_REQUESTS);
  return found.reverse();
}

async function bodyOf(db: Queryable, partnerId: string, { id }: LoggedRequest): Promise<CreationBody | null> {
  const text = (await findRequest(db, partnerId, id))?.bodies?.request ?? null;
  try {
    return text === null ? null : (JSON.parse(text) as CreationBody);
  } catch {
    return null; // the kept body is cut
  }
}
