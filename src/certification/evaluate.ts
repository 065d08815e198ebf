import { type Instant, SECOND } from '../base/clock.ts';
import type { HoldStatus } from '../bookings/hold-rules.ts';
import type { LoggedRequest } from '../requests/rules.ts';
import type { StepDelivery } from './queries.ts';
import {
  DURATION,
  type Finding,
  type Findings,
  type PointId,
  type PointState,
  REACTION_TIME,
  STEPS,
} from './rules.ts';
import { type Found, fillPlaceholders, NO_RESPONSE } from './texts.ts';

/** A creation of a booking as it was sent. */
export type Creation = LoggedRequest & { body: CreationBody | null };
export type CreationBody = {
  contactId?: string;
  serviceId?: string;
  date?: string;
  timeslot?: { startAt?: string; endAt?: string };
  externalReference?: string;
};

type ProvokedStep = { at: Instant; bookingId: string; deliveries: readonly StepDelivery[] };

export type Evidence = {
  now: Instant;
  startedAt: Instant;
  /** The partner's requests, in order. */
  requests: readonly LoggedRequest[];
  creations: readonly Creation[];
  steps: ReadonlyMap<PointId, ProvokedStep>;
  /** Events that the feed returned to the partner after the loss, in time. */
  readEvents: ReadonlySet<string>;
  isLimited: boolean;
  /** The status of the first hold since the start; null: there was none. */
  firstHold: HoldStatus | null;
  /** The first event with an outcome since the start; null: there was none. */
  firstOutcome: { bookingId: string; at: Instant } | null;
};

/** Milliseconds after which a request is in the log. */
const LOG_DELAY = 10 * SECOND;
const BOOKINGS = '/v1/partners/bookings';
const STATUS = `${BOOKINGS}/:bookingId/status`;
const BOOKING = `${BOOKINGS}/:bookingId`;
const QUOTE = `${BOOKING}/quote`;
const FEED = '/v1/partners/events';
const CERTIFICATIONS = '/v1/partners/sandbox/certifications';

type Proof = { requests?: readonly LoggedRequest[]; deliveries?: readonly StepDelivery[] };

const finding = (
  state: PointState,
  found: Found,
  { requests = [], deliveries = [] }: Proof = {},
  gaps: Readonly<Record<string, string | number>> = {},
): Finding => ({
  state,
  found: fillPlaceholders(found, gaps),
  requestIds: requests.map(({ requestId }) => requestId),
  deliveryIds: deliveries.flatMap(({ id }) => id ?? []),
});

/**
 * The findings of the evidence; pure. The first relevant request decides a point, so that no later one and no later
 * evaluation reverses it.
 */
export function evaluate(all: Evidence): Findings {
  const evidence = { ...all, steps: new Map([...all.steps].map(([point, step]) => [point, inTime(step)])) };
  return {
    reference: reference(evidence),
    repeat: repeat(evidence),
    'slot-taken': slotTaken(evidence),
    'rate-limit': rateLimit(evidence),
    reschedule: followed(evidence, 'reschedule'),
    duplicate: duplicate(evidence),
    'bad-signature': badSignature(evidence),
    'old-event': followed(evidence, 'old-event'),
    'lost-event': lostEvent(evidence),
    cancel: followed(evidence, 'cancel'),
    holds: holds(evidence),
    reconcile: reconcile(evidence),
    fees: fees(evidence),
    outcome: outcome(evidence),
  };
}

/** The step with its attempts in time. */
const inTime = (step: ProvokedStep): ProvokedStep => ({
  ...step,
  deliveries: step.deliveries.map((delivery) => ({
    ...delivery,
    attempts: delivery.attempts?.filter(({ attemptedAt }) => isInTime(attemptedAt, step.at)) ?? null,
  })),
});

/** Whether the time to react since `since` is over. */
const isLate = ({ now, startedAt }: Evidence, since: Instant): boolean =>
  now >= since + REACTION_TIME + LOG_DELAY || now >= startedAt + DURATION;
const isInTime = (at: Instant, since: Instant): boolean => at < since + REACTION_TIME;

function reference({ creations }: Evidence): Finding {
  const first = creations.find(({ status }) => status === 200);
  if (first === undefined) return finding('waiting', 'No booking has been created yet.');
  return first.body?.externalReference === undefined
    ? finding('failed', 'A booking was created without an externalReference.', { requests: [first] })
    : finding('passed', 'A booking was created with an externalReference.', { requests: [first] });
}

/** The contract, section 7: after a 409 the client looks up its booking and reads the status. */
function repeat(evidence: Evidence): Finding {
  const { creations, requests } = evidence;
  let latest: [first: Creation, again: Creation] | null = null;
  for (const again of creations) {
    const wanted = again.body?.externalReference;
    const first = creations.find(
      (creation) =>
        creation !== again && creation.status === 200 && creation.body?.externalReference === wanted,
    );
    if (wanted === undefined || first === undefined || comesAfter(evidence, first, again)) continue;
    if (latest !== null && !isInTime(again.at, latest[1].at)) break;
    // The stored response to an Idempotency-Key.
    if (again.status === 200)
      return finding('passed', 'The same answer came twice.', { requests: [first, again] });
    if (again.status !== 409) continue;
    const read = requests.find(
      (request) =>
        comesAfter(evidence, request, again) &&
        isInTime(request.at, again.at) &&
        isReadOf(request, first.bookingId),
    );
    if (read !== undefined)
      return finding('passed', '409, and then the booking was read.', { requests: [first, again, read] });
    latest = [first, again];
  }
  if (latest === null) return finding('waiting', 'No reference has come a second time yet.');
  return isLate(evidence, latest[1].at)
    ? finding('failed', 'After 409 the booking was not read.', { requests: latest })
    : finding('waiting', '409 was answered; the booking has not been read since.', { requests: latest });
}

const isSameSlot = (a: Creation, b: Creation): boolean =>
  a.body?.contactId === b.body?.contactId &&
  a.body?.serviceId === b.body?.serviceId &&
  a.body?.date === b.body?.date &&
  a.body?.timeslot?.startAt === b.body?.timeslot?.startAt;

function slotTaken(evidence: Evidence): Finding {
  const refused: Creation[] = [];
  for (const creation of evidence.creations) {
    const last = refused.at(-1);
    if (last !== undefined && !isInTime(creation.at, last.at)) break;
    if (creation.code === 'BOOKING_CREATION_FAILED') {
      refused.push(creation);
      const same = refused.filter((other) => isSameSlot(other, creation));
      // The contract, section 7, allows one more try.
      if (same.length > 2)
        return finding('failed', 'A time that is not free was asked for again and again.', {
          requests: same,
        });
    } else if (creation.status === 200) {
      const found = bookedAnother(evidence, refused, creation);
      if (found !== null) return found;
    }
  }
  const last = refused.at(-1);
  if (last === undefined) return finding('waiting', 'No creation has been refused with 422 yet.');
  return isLate(evidence, last.at)
    ? finding('failed', 'After 422 no other time was booked.', { requests: refused })
    : finding('waiting', '422 was answered; no other time has been booked since.', { requests: refused });
}

/** The finding when the booking is a reaction to a refusal, at another time; else null. */
function bookedAnother({ requests }: Evidence, refused: readonly Creation[], made: Creation): Finding | null {
  for (const refusal of refused) {
    if (isSameSlot(made, refusal)) continue;
    const alternatives = (refusal.details?.alternatives ?? []) as { date?: string; startAt?: string }[];
    const isOne = alternatives.some(
      ({ date, startAt }) => date === made.body?.date && startAt === made.body?.timeslot?.startAt,
    );
    if (isOne) return finding('passed', 'One of the alternatives was booked.', { requests: [refusal, made] });
    const asked = requests.find(
      ({ route, status, at }) =>
        route === '/v1/partners/timeslots/available' && status === 200 && at >= refusal.at && at <= made.at,
    );
    if (asked !== undefined)
      return finding('passed', 'Timeslots were asked for again, and one was booked.', {
        requests: [refusal, asked, made],
      });
  }
  return null;
}

/** Milliseconds in which requests may have been sent before the refusal arrived. */
const IN_FLIGHT = SECOND;

function rateLimit(evidence: Evidence): Finding {
  const { isLimited, requests } = evidence;
  if (!isLimited) return finding('not-applicable', 'Your account has no limit of requests.');
  const refusal = requests.find(({ code }) => code === 'RATE_LIMIT_EXCEEDED');
  if (refusal === undefined) return finding('waiting', 'No request has been refused with 429 yet.');
  const seconds = Number(refusal.details?.retryAfter ?? 60);
  const until = refusal.at + seconds * SECOND;
  // Reads of the certification are not counted.
  const later = requests.filter(
    (request) =>
      request.keyId === refusal.keyId &&
      request.at - request.durationMs >= refusal.at + IN_FLIGHT &&
      !request.route?.startsWith(CERTIFICATIONS),
  );
  const [next] = later;
  if (next === undefined)
    return finding('waiting', '429 was answered; no request has come since.', { requests: [refusal] });
  const isEarly = ({ at, durationMs }: LoggedRequest): boolean => at - durationMs < until - IN_FLIGHT;
  const gaps = { seconds };
  if (!isEarly(next)) {
    const requests = [refusal, next];
    return finding('passed', 'The next request came after {seconds} seconds or more.', { requests }, gaps);
  }
  const early = { requests: [refusal, ...later.filter(isEarly).slice(0, 10)] };
  return finding('failed', 'Requests came within the {seconds} seconds of Retry-After.', early, gaps);
}

const NOT_PROVOKED = finding('waiting', 'It has not been its turn yet.');

const wasAccepted = ({ attempts }: StepDelivery): boolean =>
  (attempts ?? []).some(({ statusCode, error }) => error === null && isSuccess(statusCode));
const isSuccess = (status: number | null | undefined): boolean =>
  status !== null && status !== undefined && status >= 200 && status < 300;

/** All deliveries were answered 2xx, and the partner read the state after the last one. */
function followed(evidence: Evidence, point: PointId): Finding {
  const step = evidence.steps.get(point);
  if (step === undefined) return NOT_PROVOKED;
  const { deliveries, bookingId, at } = step;
  if (deliveries.length === 0) return finding('waiting', 'It is under way.');
  const isWhole = deliveries.length >= (STEPS.find((one) => one.point === point)?.events ?? 1);
  if (!isWhole || !deliveries.every(wasAccepted))
    return isLate(evidence, at)
      ? finding('failed', 'A delivery was not answered 2xx.', { deliveries })
      : finding('waiting', 'The deliveries have not all been answered 2xx yet.', { deliveries });
  const answeredAt = Math.max(
    ...deliveries.flatMap(({ attempts }) => attempts ?? []).map(({ attemptedAt }) => attemptedAt),
  );
  const read = evidence.requests.find(
    (request) => request.at >= answeredAt && isInTime(request.at, at) && isReadOf(request, bookingId),
  );
  if (read !== undefined)
    return finding('passed', 'The webhook was accepted, and the state read.', {
      requests: [read],
      deliveries,
    });
  return isLate(evidence, at)
    ? finding('failed', 'The webhook was accepted, and the state not read.', { deliveries })
    : finding('waiting', 'The webhook was accepted; the state has not been read since.', { deliveries });
}

const unanswered = (evidence: Evidence, { deliveries, at }: ProvokedStep): Finding =>
  isLate(evidence, at)
    ? finding('failed', 'The delivery was not answered.', { deliveries })
    : finding('waiting', 'It is on its way.', { deliveries });

function duplicate(evidence: Evidence): Finding {
  const step = evidence.steps.get('duplicate');
  if (step === undefined) return NOT_PROVOKED;
  const { deliveries } = step;
  const [first, second] = deliveries.flatMap((delivery) => delivery.attempts ?? []);
  if (first === undefined || second === undefined) return unanswered(evidence, step);
  if (isSuccess(first.statusCode) && isSuccess(second.statusCode))
    return finding('passed', 'Both were answered 2xx.', { deliveries });
  const gaps = { first: first.statusCode ?? NO_RESPONSE, second: second.statusCode ?? NO_RESPONSE };
  return finding('failed', 'They were answered {first} and {second}.', { deliveries }, gaps);
}

function badSignature(evidence: Evidence): Finding {
  const step = evidence.steps.get('bad-signature');
  if (step === undefined) return NOT_PROVOKED;
  const { deliveries, at } = step;
  const attempts = deliveries.flatMap((delivery) => delivery.attempts ?? []);
  const forged = attempts.find(({ error }) => error === 'SIMULATED_BAD_SIGNATURE');
  if (forged === undefined || attempts.length < 2) return unanswered(evidence, step);
  const status = forged.statusCode;
  const gaps = { status: status ?? NO_RESPONSE };
  if (isSuccess(status))
    return finding('failed', 'The forged one was accepted with {status}.', { deliveries }, gaps);
  if (status === null || status < 400 || status >= 500)
    return finding('failed', 'The forged one was answered {status}, not 4xx.', { deliveries }, gaps);
  if (deliveries.every(wasAccepted))
    return finding('passed', 'The forged one was refused with {status}.', { deliveries }, gaps);
  return isLate(evidence, at)
    ? finding('failed', 'The genuine one was refused, too.', { deliveries })
    : finding('waiting', 'The genuine one has not been accepted yet.', { deliveries });
}

function lostEvent(evidence: Evidence): Finding {
  const step = evidence.steps.get('lost-event');
  if (step === undefined) return NOT_PROVOKED;
  const { deliveries, at } = step;
  const [lost] = deliveries;
  if (lost === undefined) return finding('waiting', 'It is being lost.');
  const reads = evidence.requests.filter(
    ({ route, status, at: readAt }) => route === FEED && status === 200 && readAt >= at,
  );
  if (evidence.readEvents.has(lost.event_id))
    return finding('passed', 'The feed returned the event.', { requests: reads.slice(-1), deliveries });
  return isLate(evidence, at)
    ? finding('failed', 'The event was never read from the feed.', { deliveries })
    : finding('waiting', 'The event has not been read from the feed yet.', { deliveries });
}

function holds({ firstHold, requests }: Evidence): Finding {
  if (firstHold === null) return finding('not-applicable', 'No timeslot has been held.');
  const made = requests.find(
    ({ method, route, status }) => method === 'POST' && route === '/v1/partners/holds' && status === 200,
  );
  const proof = { requests: made === undefined ? [] : [made] };
  if (firstHold === 'HELD') return finding('waiting', 'The timeslot is held.', proof);
  return firstHold === 'EXPIRED'
    ? finding('failed', 'The hold expired: it was neither booked nor released.', proof)
    : finding('passed', 'The hold was booked or released.', proof);
}

function reconcile({ requests }: Evidence): Finding {
  const read = requests.find(
    ({ method, route, status, path }) =>
      method === 'GET' &&
      status === 200 &&
      (route === FEED || (route === BOOKINGS && /[?&]updatedSince=/.test(path ?? ''))),
  );
  return read === undefined
    ? finding('waiting', 'Neither updatedSince nor the feed has been used yet.')
    : finding('passed', 'Changes were read by updatedSince or from the feed.', { requests: [read] });
}

/** After a refusal because of the fee the customer is asked again: by another quote, or the change with another fee. */
function fees(evidence: Evidence): Finding {
  const { requests } = evidence;
  const refused = requests.find(({ code }) => code === 'FEE_CHANGED');
  if (refused === undefined) {
    const quoted = requests.find(({ route, status }) => route === QUOTE && status === 200);
    return quoted === undefined
      ? finding('waiting', 'No quote has been asked for yet.')
      : finding('passed', 'The fee was asked for.', { requests: [quoted] });
  }
  const next = requests.find(
    (request) =>
      comesAfter(evidence, request, refused) &&
      isInTime(request.at, refused.at) &&
      request.bookingId === refused.bookingId &&
      [QUOTE, BOOKING, `${BOOKING}/cancel`].includes(request.route ?? ''),
  );
  if (next !== undefined)
    return finding('passed', '409 FEE_CHANGED, and then the fee was asked for or agreed to.', {
      requests: [refused, next],
    });
  return isLate(evidence, refused.at)
    ? finding('failed', 'After 409 FEE_CHANGED neither a quote nor the change followed.', {
        requests: [refused],
      })
    : finding('waiting', '409 FEE_CHANGED was answered; nothing has followed yet.', { requests: [refused] });
}

function outcome(evidence: Evidence): Finding {
  const { firstOutcome, requests } = evidence;
  if (firstOutcome === null) return finding('not-applicable', 'No visit has had an outcome.');
  const { bookingId, at } = firstOutcome;
  const read = requests.find(
    (request) => request.at >= at && isInTime(request.at, at) && isReadOf(request, bookingId),
  );
  if (read !== undefined) return finding('passed', 'The outcome was read.', { requests: [read] });
  return isLate(evidence, at)
    ? finding('failed', 'The outcome was not read.')
    : finding('waiting', 'A visit could not be done; the outcome has not been read since.');
}

/** Whether the request returns the state of the booking. */
function isReadOf({ route, status, method, bookingId }: LoggedRequest, wanted: string | null): boolean {
  if (status !== 200 || method !== 'GET') return false;
  return route === BOOKINGS || route === FEED || (route === STATUS && bookingId === wanted);
}

/** By their order in the log: two may have the same time. */
function comesAfter({ requests }: Evidence, later: LoggedRequest, earlier: LoggedRequest): boolean {
  return requests.findIndex(({ id }) => id === later.id) > requests.findIndex(({ id }) => id === earlier.id);
}
