import { type Clock, dateOf, type Instant, MINUTE, startOfDate, toRiyadhIso } from '../base/clock.ts';
import { crewStepView, searchCrewSteps } from '../crew/operator.ts';
import { foundMessageView, searchMessages } from '../customers/operator.ts';
import type { Db, Queryable } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { searchAppointments } from '../dispatch/appointments.ts';
import { type BookingConcern, limitsOf } from '../dispatch/attention-rules.ts';
import { searchOperatorBookings } from '../dispatch/bookings.ts';
import { sumGivenBack } from '../dispatch/fee-queries.ts';
import { appointmentView, operatorBookingView } from '../dispatch/view.ts';
import { searchPayments } from '../payments/operator.ts';
import { type LinkDeps, paymentView } from '../payments/operator-view.ts';
import { DUE_SOON_DAYS } from '../privacy/metrics.ts';
import { requestView } from '../privacy/request-view.ts';
import { searchRequests } from '../privacy/requests.ts';
import type { PhoneHash } from '../privacy/rules.ts';
import { readHeldDays } from '../reports/held-days.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { listForOperator } from '../series/series.ts';
import { listDeliveries } from '../webhooks/deliveries.ts';
import { operatorDeliveryView } from '../webhooks/operator-view.ts';
import type { AttentionQuery } from './attention-schema.ts';

const MAX_ROWS = 5;
const FAILING_WITHIN_HOURS = 24;
const REFUSED_WITHIN_HOURS = 24;
const UNSENT_WITHIN_HOURS = 24;

/** Problems that need attention: the count of each concern, and its first items, as the list under `list` has them. */
export async function readAttention(
  db: Queryable,
  links: LinkDeps & { phoneHash: PhoneHash },
  now: Instant,
  { zoneId, limit = MAX_ROWS, failingWithinHours = FAILING_WITHIN_HOURS, ...given }: AttentionQuery,
) {
  const {
    assignWithinHours,
    confirmWithinMinutes,
    lateAfterMinutes,
    awayWithinDays,
    finishedForMinutes,
    payWithinHours,
  } = limitsOf(given);
  const zone = zoneId === undefined ? {} : { zoneId };

  async function section<Query extends Record<string, string | number>, Row, View>(
    path: string,
    query: Query,
    search: (query: Query & { limit: number }) => Promise<Page<Row>>,
    view: (row: Row) => View,
  ) {
    const { rows, total } = await search({ ...query, limit });
    const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
    return { count: total, list: `${path}?${new URLSearchParams(parameters)}`, rows: rows.map(view) };
  }

  const appointments = <Query extends Parameters<typeof searchAppointments>[2]>(query: Query) =>
    section(
      '/operator/appointments',
      { ...query, ...zone } as Query & Record<string, string | number>,
      (asked) => searchAppointments(db, now, asked),
      appointmentView,
    );
  const bookings = (query: { attention: BookingConcern; payWithinHours?: number }) =>
    section(
      '/operator/bookings',
      { ...query, ...zone } as typeof query & Record<string, string | number>,
      (asked) => searchOperatorBookings(db, now, asked, false),
      operatorBookingView,
    );
  const payments = <Query extends Record<string, string>>(query: Query) =>
    section(
      '/operator/payments',
      query,
      (asked) => searchPayments(db, now, asked),
      (row) => paymentView(links, row),
    );
  const heldDays = await readHeldDays(db, now);
  const [heldFirst] = heldDays;
  return {
    at: toRiyadhIso(now),
    // Sequential: an embedded database has one connection.
    unassigned: await appointments({ attention: 'unassigned', assignWithinHours, lateAfterMinutes }),
    unconfirmed: await appointments({ attention: 'unconfirmed', confirmWithinMinutes }),
    late: await appointments({ attention: 'late', lateAfterMinutes }),
    unreported: await appointments({ attention: 'unreported', lateAfterMinutes }),
    overdue: await appointments({ attention: 'overdue', lateAfterMinutes }),
    teamAway: await appointments({ attention: 'team-away', awayWithinDays, lateAfterMinutes }),
    cannotComplete: await appointments({ attention: 'cannot-complete' }),
    cancelledAlone: await appointments({ attention: 'cancelled-alone' }),
    notCompleted: await appointments({ attention: 'not-completed', finishedForMinutes }),
    workCancelled: await appointments({ attention: 'work-cancelled' }),
    daysHeld: {
      count: heldDays.length,
      list: `/operator/holds${heldFirst === undefined ? '' : `?date=${heldFirst.date}`}`,
      rows: heldDays.slice(0, limit),
    },
    seriesUnplaced: await section(
      '/operator/series',
      { unplaced: 'true' as const },
      (asked) => listForOperator(db, now, asked),
      (series) => series,
    ),
    paidCancelled: await bookings({ attention: 'paid-cancelled' }),
    feesToDecide: await bookings({ attention: 'fees-to-decide' }),
    feesGivenBack: {
      ...(await bookings({ attention: 'fees-given-back' })),
      sum: Number(await sumGivenBack(db, startOfDate(dateOf(now)))),
    },
    paymentDue: await bookings({ attention: 'payment-due', payWithinHours }),
    droppedUnpaid: await bookings({ attention: 'dropped-unpaid' }),
    linksNotMade: await payments({ unsent: 'make' as const }),
    linksNotSent: await payments({ unsent: 'send' as const }),
    refundsToDecide: await payments({ refundStatus: 'TO_DECIDE' as const }),
    stepsRefused: await section(
      '/operator/crew-steps',
      { outcome: 'UNDECIDED' as const, withinHours: REFUSED_WITHIN_HOURS },
      (asked) => searchCrewSteps(db, now, asked),
      crewStepView,
    ),
    messagesFailed: await section(
      '/operator/messages',
      { status: 'FAILED' as const, withinHours: UNSENT_WITHIN_HOURS },
      (asked) => searchMessages(db, now, asked),
      foundMessageView,
    ),
    privacyRequestsDue: await section(
      '/operator/privacy-requests',
      { dueWithinDays: DUE_SOON_DAYS, sortBy: 'dueAt' as const, sortOrder: 'ASC' as const },
      (asked) => searchRequests({ db, phoneHash: links.phoneHash }, now, asked),
      (row) => requestView(row, now),
    ),
    deliveriesFailing: await section(
      '/operator/deliveries',
      { failingWithinHours },
      (asked) => listDeliveries(db, now, asked),
      (row) => operatorDeliveryView(row, now),
    ),
  };
}

/** How much needs attention, by concern. Counted once a minute: it is as much work as a page of the console. */
export function attentionMetrics(
  deps: LinkDeps & { db: Db; clock: Clock; metrics: Metrics; phoneHash: PhoneHash },
): void {
  let countedAt = Number.NEGATIVE_INFINITY;
  let counts: Record<string, number> = {};
  deps.metrics.gauge('attention', 'What /operator/attention counts, by concern', 'concern', async () => {
    const now = deps.clock.now();
    if (Math.abs(now - countedAt) < MINUTE) return counts;
    const { at, ...concerns } = await readAttention(deps.db, deps, now, { limit: 1 });
    counts = Object.fromEntries(Object.entries(concerns).map(([concern, { count }]) => [concern, count]));
    countedAt = now;
    return counts;
  });
}
