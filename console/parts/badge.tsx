import {
  type Appointment,
  type Booking,
  EVENTS,
  type Payment,
  type Refund,
  type WebhookDelivery,
} from '../contract.ts';
import { type PlainKey, t } from '../language.ts';
import { TEXTS } from '../texts.ts';

/** Texts of states, with a colour that only repeats them. */

type Tone = 'good' | 'bad' | 'notice' | 'plain';
type States<Name extends string> = Record<Name, [text: PlainKey, tone: Tone]>;

const BOOKING: States<Booking['status']> = {
  'in progress': ['state.inProgress', 'plain'],
  'waiting payment': ['state.waitingPayment', 'notice'],
  success: ['state.success', 'good'],
  canceled: ['state.canceled', 'plain'],
  failed: ['state.failed', 'bad'],
};

const PAYMENT_STATUS: States<Booking['paymentStatus']> = {
  NOT_REQUIRED: ['paid.notRequired', 'plain'],
  PENDING: ['paid.pending', 'notice'],
  PAID: ['paid.paid', 'good'],
  FAILED: ['paid.failed', 'bad'],
  CANCELLED: ['paid.cancelled', 'plain'],
};

const APPOINTMENT: States<Appointment['status']> = {
  New: ['work.new', 'bad'],
  Scheduled: ['work.scheduled', 'plain'],
  Confirmed: ['work.confirmed', 'good'],
  'In The Way': ['work.inTheWay', 'good'],
  'In The location': ['work.inTheLocation', 'good'],
  'In Progress': ['work.inProgress', 'good'],
  Finished: ['work.finished', 'good'],
  Completed: ['work.completed', 'plain'],
  'Cannot Complete': ['work.cannotComplete', 'bad'],
  Cancelled: ['work.cancelled', 'plain'],
};

const LINK: States<Payment['status']> = {
  CREATED: ['link.created', 'plain'],
  OPEN: ['link.open', 'notice'],
  PAID: ['link.paid', 'good'],
  FAILED: ['link.failed', 'bad'],
  EXPIRED: ['link.expired', 'bad'],
  CANCELED: ['link.canceled', 'plain'],
};

const REFUND: States<Refund['status']> = {
  PENDING: ['refund.pending', 'notice'],
  DONE: ['refund.done', 'good'],
  FAILED: ['refund.failed', 'bad'],
  TO_DECIDE: ['refund.toDecide', 'bad'],
  DECLINED: ['refund.declined', 'plain'],
};

const DELIVERY: States<WebhookDelivery['status']> = {
  PENDING: ['delivery.pending', 'notice'],
  DELIVERED: ['delivery.delivered', 'good'],
  FAILED: ['delivery.failed', 'bad'],
};

const STATES = {
  booking: BOOKING,
  paymentStatus: PAYMENT_STATUS,
  appointment: APPOINTMENT,
  link: LINK,
  refund: REFUND,
  delivery: DELIVERY,
};
type Kind = keyof typeof STATES;

/** The state's name in the chosen language. */
export function stateName(kind: Kind, state: string): string {
  const known = (STATES[kind] as Record<string, [PlainKey, Tone]>)[state];
  return known === undefined ? state : t(known[0]);
}

export function Badge({ kind, state }: { kind: Kind; state: string }) {
  const known = (STATES[kind] as Record<string, [PlainKey, Tone]>)[state];
  return <span class={`badge ${known?.[1] ?? 'plain'}`}>{stateName(kind, state)}</span>;
}

/** Bookings whose own status is more urgent than that of the visit. */
const BOOKING_FIRST: readonly string[] = [
  'waiting payment',
  'failed',
  'canceled',
] satisfies Booking['status'][];

type Visit = { booking: string; appointment: string };

/** The state of a booking and its visit in a list: the visit's, unless the booking's own status is more urgent. */
const shownState = ({ booking, appointment }: Visit): [Kind, string] =>
  BOOKING_FIRST.includes(booking) ? ['booking', booking] : ['appointment', appointment];

/** One badge for a booking and its visit; with what somebody has to decide on. */
export function VisitBadge({ toDecide, ...visit }: Visit & { toDecide?: string | undefined }) {
  const [kind, state] = shownState(visit);
  if (toDecide === undefined) return <Badge kind={kind} state={state} />;
  return <span class="badge bad">{t('state.toDecide', { state: stateName(kind, state), toDecide })}</span>;
}

/** The states as options of a filter. */
export const stateOptions = (kind: Kind): { value: string; label: string }[] =>
  Object.keys(STATES[kind]).map((value) => ({ value, label: stateName(kind, value) }));

const isEventKey = (key: string): key is `event.${WebhookDelivery['event']}` => key in TEXTS;

/** The name of an event; actions of the audit log are returned as they are. */
export function eventName(event: string): string {
  const key = `event.${event}`;
  return isEventKey(key) ? t(key) : event;
}

/** Every event of webhooks, as options of a filter. */
export const eventOptions = () => EVENTS.map((value) => ({ value, label: t(`event.${value}`) }));
