import { signal } from '@preact/signals';
import type { Appointment, Attention } from '../contract.ts';
import { t } from '../language.ts';
import { fromService, href } from '../router.ts';

/** The concerns of the strip by who must act, and the visit that is stepped to. */

export type Concern = Exclude<keyof Attention, 'at'>;

export const GROUPS = ['call', 'decide', 'right'] as const;
type Group = (typeof GROUPS)[number];

/**
 * In the order of the strip. Their visits stand on the board of their day, or only in the list of visits; of payments,
 * deliveries, series and requests the path of the page.
 */
const CONCERNS: Record<Concern, [group: Group, where?: 'board' | 'list' | `/${string}`]> = {
  late: ['call', 'board'],
  unreported: ['call', 'board'],
  overdue: ['call', 'board'],
  teamAway: ['call', 'board'],
  paymentDue: ['call', 'board'],
  droppedUnpaid: ['call', 'list'],
  unassigned: ['decide', 'board'],
  unconfirmed: ['decide', 'board'],
  cannotComplete: ['decide', 'board'],
  notCompleted: ['decide', 'board'],
  cancelledAlone: ['decide', 'list'],
  paidCancelled: ['decide', 'list'],
  workCancelled: ['decide', 'list'],
  refundsToDecide: ['decide', '/payments'],
  feesToDecide: ['decide', 'list'],
  feesGivenBack: ['decide', 'list'],
  daysHeld: ['decide'],
  seriesUnplaced: ['decide', '/series'],
  privacyRequestsDue: ['decide', '/privacy-requests'],
  stepsRefused: ['right'],
  deliveriesFailing: ['right', '/deliveries'],
  messagesFailed: ['right'],
  linksNotMade: ['right', '/payments'],
  linksNotSent: ['right', '/payments'],
};

const ALL = Object.keys(CONCERNS) as Concern[];

/** The concerns of a group that are not zero. */
export const troubled = (attention: Attention, group: Group): Concern[] =>
  ALL.filter((concern) => CONCERNS[concern][0] === group && attention[concern].count > 0);

/** Concerns whose visits stand on the board, for its filter. */
export const PLANNED: readonly Concern[] = ALL.filter((concern) => CONCERNS[concern][1] === 'board');

/** The values of `attention` in the list of visits, with their texts: `teamAway` is `team-away`. */
export const visitConcerns = (): { value: string; label: string }[] =>
  ALL.filter((concern) => /^[bl]/.test(CONCERNS[concern][1] ?? '')).map((concern) => ({
    value: concern.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    label: t(`strip.${concern}`),
  }));

/** Optional fields in rows of the concerns. */
type Row = Partial<
  Record<'id' | 'key' | 'name' | 'trackingReference' | 'event' | 'date' | 'startsAt' | 'visitAt', string> &
    Record<'appointmentId' | 'bookingId' | 'seriesId' | 'contactName', string> & {
      appointment: { startsAt: string };
    } & Pick<Appointment, 'contact'>
>;

/** One trouble: of which visit, and its page. `visitId`: it stands on the board of its day. */
export type Step = ReturnType<typeof stepsOf>[number];

export const stepsOf = (attention: Attention, concern: Concern) =>
  (attention[concern].rows as readonly Row[]).map((row) => {
    const [, where] = CONCERNS[concern];
    const page = where?.startsWith('/') ? `${where}/${row.id ?? row.seriesId}` : `/bookings/${row.bookingId}`;
    return {
      id: row.id ?? row.key ?? row.bookingId ?? row.seriesId ?? row.date,
      name: row.name ?? row.trackingReference ?? row.event ?? row.contactName ?? row.date,
      contact: row.contact,
      startsAt: row.startsAt ?? row.appointment?.startsAt ?? row.visitAt,
      visitId: where === 'board' ? (row.appointmentId ?? row.id) : undefined,
      address: concern === 'daysHeld' ? href('/board', { date: row.date }) : href(page),
    };
  });

/** The complete list of a concern. */
export const listOf = (attention: Attention, concern: Concern): string =>
  concern === 'daysHeld' ? stepsOf(attention, concern)[0]!.address : fromService(attention[concern].list);

/** The concerns of each visit of the board. */
export function concernsByVisit(attention: Attention | undefined): ReadonlyMap<string, readonly Concern[]> {
  const all = PLANNED.flatMap((concern) =>
    attention === undefined
      ? []
      : stepsOf(attention, concern).map(({ visitId }) => ({ visitId: visitId!, concern })),
  );
  return new Map(
    [...Map.groupBy(all, ({ visitId }) => visitId)].map(([id, own]) => [
      id,
      own.map(({ concern }) => concern),
    ]),
  );
}

/** The trouble that was stepped to last, with its place in the list. `isSought`: the page has not shown it yet. */
export const current = signal<{ concern: Concern; at: number; step: Step; isSought: boolean } | null>(null);

/** Steps on in a concern, round at its ends; a trouble that is settled leaves its place to the next. */
export function stepOn(attention: Attention, concern: Concern, by: 1 | -1): Step | undefined {
  const steps = stepsOf(attention, concern);
  const before = current.peek()?.concern === concern ? current.peek() : null;
  const found = steps.findIndex(({ id }) => id === before?.step.id);
  const next = found >= 0 ? found + by : (before?.at ?? 0) - (by === 1 ? 0 : 1);
  const at = (next + steps.length) % steps.length;
  const step = steps[at];
  current.value = step === undefined ? null : { concern, at, step, isSought: true };
  return step;
}
