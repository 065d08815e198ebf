import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stateAfter } from '../src/base/moves.ts';
import { REFUND_STATUSES } from '../src/bookings/refund.ts';
import {
  APPOINTMENT_MOVES,
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  type AutomaticTrigger,
  appointmentAfter,
  BOOKING_MOVES,
  BOOKING_STATUSES,
  type BookingTrigger,
  bookingAfter,
  cancellationAction,
  correctionsOf,
  initialState,
  mayMoveAppointment,
  movability,
  PAYMENT_MOVES,
  PAYMENT_STATUSES,
  type PaymentTrigger,
  paymentAfter,
  RESCHEDULE_MOVES,
  REVISIT_MOVES,
} from '../src/bookings/rules.ts';
import {
  type LinkTrigger,
  linkAfter,
  PAYMENT_STATES,
  type RefundTrigger,
  refundAfter,
} from '../src/payments/rules.ts';
import {
  DELIVERY_MOVES,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type DeliveryTrigger,
} from '../src/webhooks/rules.ts';

/** Writes docs/STATES.md from the tables of the slices' rules.ts; test/states-doc.test.ts compares them. */
const FILE = fileURLToPath(new URL('../docs/STATES.md', import.meta.url));

/** The cause of each trigger of bookings, and its effect where the table has no move. */
const TRIGGERS = {
  cancel: {
    means: 'the partner or the operator cancels the booking',
    otherwise: '422 `BOOKING_ALREADY_CANCELLED`',
  },
  update: { means: 'the partner changes the booking', otherwise: '422 `BOOKING_NOT_EDITABLE`' },
  confirmPayment: {
    means: 'the partner says that its customer has paid',
    otherwise:
      '422 `BOOKING_NOT_PAYABLE` by the status, 422 `PAYMENT_ALREADY_CONFIRMED` by the payment status',
  },
  customerPaid: { means: 'the customer pays by payment link', otherwise: 'no move' },
  paymentFailed: { means: 'the payment fails for good, or its link expires', otherwise: 'no move' },
  fail: {
    means:
      'the operator fails the booking for a reason; not when its appointment is `Finished` or `Completed`',
    otherwise: '422 `INVALID_TRANSITION`',
  },
  appointmentCompleted: {
    means: 'the appointment becomes `Completed`',
    otherwise: 'the booking stays as it is',
  },
} as const satisfies Record<BookingTrigger | PaymentTrigger, { means: string; otherwise: string }>;

const AUTOMATIC_TRIGGERS = {
  assigned: '24 hours before its start, unless the operator has assigned it',
  bookingCanceled: 'the partner or the operator cancels the booking',
  bookingFailed: 'the operator fails the booking; where there is no move that is 422 `INVALID_TRANSITION`',
  paymentFailed:
    'the payment of the booking fails for good; where there is no move the appointment stays as it is',
} as const satisfies Record<AutomaticTrigger, string>;

const LINK_TRIGGERS = {
  linkMade: 'the gateway has made the link',
  customerPaid: 'what is owed has arrived, and was not given back',
  failed:
    'the link can be neither made nor sent, the gateway refuses the payment for good, or less than is owed arrives',
  expired: '24 hours have passed, or the appointment starts, or the gateway has closed the link',
  bookingCanceled: 'the booking is canceled',
} as const satisfies Record<LinkTrigger, string>;

const REFUND_TRIGGERS = {
  asked:
    'more was paid than is owed: by a second payment, too late, in another amount, or the booking is canceled',
  gone: 'what had to go back has gone back at the gateway, by us or by others',
  givenUp: 'the gateway refuses for good, or the last try has failed',
  retried: 'the operator has it tried again',
  doneByHand: 'the operator has given the money back; not while the gateway is doing so',
} as const satisfies Record<RefundTrigger, string>;

const DELIVERY_TRIGGERS = {
  attemptSucceeded: 'the receiver answers with a status of 2xx',
  attemptFailed: 'it does not, and the schedule has another attempt',
  lastAttemptFailed: 'it does not, and the schedule has none',
  subscriptionRemoved: 'the subscription is removed',
  retry: 'the partner or the operator retries it',
} as const satisfies Record<DeliveryTrigger, string>;

const MOVABILITY = {
  movable: 'yes',
  absent: 'no: 422 `BOOKING_APPOINTMENT_NOT_FOUND`',
  begun: 'no: 422 `BOOKING_NOT_EDITABLE`',
} as const satisfies Record<ReturnType<typeof movability>, string>;

const keysOf = <Key extends string>(table: Record<Key, unknown>): Key[] => Object.keys(table) as Key[];
const quoted = (states: readonly string[]): string =>
  states.length === 0 ? 'none' : states.map((state) => `\`${state}\``).join(', ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The moves of one state machine, with the meaning of each trigger and the states that it does not move. */
function moves<State extends string, Trigger extends string>(
  states: readonly State[],
  means: Record<Trigger, string>,
  after: (trigger: Trigger, from: State) => State | null,
): string {
  const triggers = keysOf(means);
  const rows = triggers.flatMap((trigger) =>
    states.flatMap((from) => {
      const to = after(trigger, from);
      return to === null ? [] : [[quoted([from]), trigger, to === from ? 'unchanged' : quoted([to])]];
    }),
  );
  const refused = triggers.map((trigger) => [
    trigger,
    means[trigger],
    quoted(states.filter((from) => after(trigger, from) === null)),
  ]);
  return [table(['From', 'Trigger', 'To'], rows), table(['Trigger', 'When', 'Not from'], refused)].join(
    '\n\n',
  );
}

/** The meanings of a table's triggers of bookings. */
function meaningsOf<Trigger extends keyof typeof TRIGGERS>(
  table: Record<Trigger, unknown>,
): Record<Trigger, string> {
  return Object.fromEntries(keysOf(table).map((trigger) => [trigger, TRIGGERS[trigger].means])) as Record<
    Trigger,
    string
  >;
}

function firstStates(): string {
  const rows = (['PARTNER', 'PLATFORM'] as const).flatMap((mode) =>
    [false, true].flatMap((isFree) =>
      (isFree ? (['free', 'deferred'] as const) : (['free'] as const)).map((zeroPriceMeans) => {
        const { status, paymentStatus } = initialState(mode, isFree, zeroPriceMeans);
        const price = isFree ? `zero, which means \`${zeroPriceMeans}\`` : 'above zero';
        return [quoted([mode]), price, quoted([status]), quoted([paymentStatus])];
      }),
    ),
  );
  return table(['`paymentResponsibility`', 'Price', '`status`', '`paymentStatus`'], rows);
}

function appointmentMoves(): string {
  const rows = APPOINTMENT_STATUSES.map((from) => [
    quoted([from]),
    quoted(APPOINTMENT_MOVES[from]),
    quoted(APPOINTMENT_STATUSES.filter((to) => to !== from && !mayMoveAppointment(from, to))),
    atNewStart(from),
    MOVABILITY[movability(from)],
  ]);
  return table(
    ['From', 'The operator may move it to', 'Refused', 'At another start', 'Can the partner reschedule it?'],
    rows,
  );
}

/** The state after a move to another time. */
function atNewStart(from: AppointmentStatus): string {
  const to = stateAfter<AppointmentStatus>(RESCHEDULE_MOVES, from);
  if (to === null) return 'cannot be moved';
  return to === from ? 'unchanged' : quoted([to]);
}

/** Decisions of the operator about a visit that could not be done. */
const DECISIONS = `A visit that is \`Cannot Complete\` is decided on by the operator: closing the booking cancels it, another visit is at another\ntime and \`${REVISIT_MOVES['Cannot Complete']}\`.`;

/** The text of docs/STATES.md. */
export function statesPage(): string {
  const refusals = keysOf(TRIGGERS).map((trigger) => [trigger, TRIGGERS[trigger].otherwise]);
  const actions = (['PARTNER', 'PLATFORM'] as const).map((mode) => [
    quoted([mode]),
    quoted([cancellationAction(mode)]),
  ]);
  return `${[
    '# States and their moves',
    'Printed from the tables of `src/bookings/rules.ts`, `src/payments/rules.ts` and `src/webhooks/rules.ts` by\n`npm run generate`; do not edit it by hand.',
    'What is not in a table of moves does not happen. The reasons are in [decisions](decisions/booking-changes.md).',
    '## First states of a booking',
    firstStates(),
    'The appointment begins `Scheduled`, or `New` when the assignment of the service is `deferred`. While it is `New`\nthe partner sees no appointment.',
    '## Booking: `status`',
    moves(BOOKING_STATUSES, meaningsOf(BOOKING_MOVES), bookingAfter),
    '## Booking: `paymentStatus`',
    moves(PAYMENT_STATUSES, meaningsOf(PAYMENT_MOVES), paymentAfter),
    '## What comes of a trigger where there is no move',
    table(['Trigger', 'Outcome'], refusals),
    '## Appointment: `status`',
    appointmentMoves(),
    'While its booking is `waiting payment` an appointment does not go beyond `Confirmed` and is not cancelled alone. It\nbecomes `Completed` before its start only with `force`. Another team alone leaves its status as it is.',
    'An administrator can correct a status that was set wrongly, with a reason. Not from `Completed`, which has settled the\nbooking; not from or to `New` and `Cancelled`: the partner has seen the appointment, the team may be sold again. Once the\nwork has begun, a refund stays the decision of the operator also after a correction.',
    table(
      ['From', 'Can be corrected to'],
      APPOINTMENT_STATUSES.map((from) => [quoted([from]), quoted(correctionsOf(from))]),
    ),
    'A move that is refused to the operator is 422 `INVALID_TRANSITION`; moving it to the status that it has is no change.\nEvery change of it is an event `booking.appointment_status_changed`. What else moves it:',
    moves(APPOINTMENT_STATUSES, AUTOMATIC_TRIGGERS, appointmentAfter),
    DECISIONS,
    '## What cancelling does with the money',
    table(['`paymentResponsibility`', 'Action'], actions),
    '## Payment by link: `status`',
    'A booking that is `waiting payment` has one. It begins `CREATED`.',
    moves(PAYMENT_STATES, LINK_TRIGGERS, linkAfter),
    'Money that arrives when the payment has ended moves nothing but the refund.',
    '## Payment by link: the refund',
    'Until there is something to give back it is `NONE`, which the operator is shown as null. After a cancellation from\n`In Progress` on without a policy, or while nobody knows why the visit\nwas not done, it is shown as `TO_DECIDE`, and as `DECLINED` when the operator gives nothing back.',
    moves(REFUND_STATUSES, REFUND_TRIGGERS, refundAfter),
    'What the operator asks for where there is no move is 422 `INVALID_TRANSITION`.',
    '## Webhook delivery: `status`',
    'It begins `PENDING`.',
    moves(DELIVERY_STATUSES, DELIVERY_TRIGGERS, (trigger, from) =>
      stateAfter<DeliveryStatus>(DELIVERY_MOVES[trigger], from),
    ),
    'A retry where there is no move is 422 `DELIVERY_NOT_RETRYABLE`.',
  ].join('\n\n')}\n`;
}

if (import.meta.main) {
  writeFileSync(FILE, statesPage());
  console.log('docs/STATES.md is written');
}
