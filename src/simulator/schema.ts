import Type from 'typebox';
import { APPOINTMENT_STATUSES } from '../bookings/rules.ts';
import { Booking } from '../bookings/schema.ts';
import { Body, Choice, Nullable, Stamp, Text, Uuid } from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import {
  DEFAULT_DELAY,
  FAULT_KINDS,
  type FaultKind,
  MAX_DELAY,
  MAX_FAULTS,
  MAX_TREATED,
} from './fault-rules.ts';
import {
  ACTIONS,
  CUSTOMER_SCRIPTS,
  DEFAULT_EVERY,
  HOLD_ENDINGS,
  MAX_EVERY,
  RUN_STATUSES,
  SCRIPTS,
  STARTERS,
  STEP_STATUSES,
} from './rules.ts';

const { Optional } = Type;

export const BookingParams = Type.Object({ bookingId: Uuid('Booking') });
export const RunParams = Type.Object({ bookingId: Uuid('Booking'), runId: Uuid('Run') });
export const SubscriptionParams = Type.Object({ id: Uuid('Subscription') });

const AppointmentStatusOf = (description: string, example: (typeof APPOINTMENT_STATUSES)[number]) =>
  Choice([...APPOINTMENT_STATUSES], description, example);

// ---------------------------------------------------------------------------
// Advancing

export const Advance = Body(
  {
    to: Optional(
      AppointmentStatusOf(
        'What the appointment becomes; left out, the next on the way to Completed',
        'Confirmed',
      ),
    ),
  },
  { status: 'status is called to', script: 'a script is started with POST …/runs' },
);

export const Advanced = Type.Object(
  {
    from: AppointmentStatusOf('The status before', 'Scheduled'),
    to: AppointmentStatusOf('The status now', 'Confirmed'),
    next: Type.Array(AppointmentStatusOf('A status', 'In The Way'), {
      maxItems: APPOINTMENT_STATUSES.length,
      description: 'Where it can go from there',
      examples: [['In The Way', 'Cancelled']],
    }),
    booking: Booking,
  },
  { title: 'AdvancedBooking' },
);

// ---------------------------------------------------------------------------
// Runs

const everySeconds = Type.Integer({
  minimum: 0,
  maximum: MAX_EVERY,
  description: `Seconds of business time before the first step and between two; ${DEFAULT_EVERY} unless given`,
  examples: [DEFAULT_EVERY],
});

export const StartRun = Body(
  {
    script: Choice([...SCRIPTS], 'Who acts, and to which end'),
    everySeconds: Optional(everySeconds),
  },
  { every: 'every is called everySeconds', seconds: 'seconds is called everySeconds' },
);

export const Step = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: 20, description: 'From 1', examples: [1] }),
    action: Choice([...ACTIONS], 'What is done'),
    to: Nullable(
      Text('What the appointment becomes; null: the step is about something else', 'Confirmed', 50),
    ),
    status: Choice([...STEP_STATUSES], 'SKIPPED: the run ended before it', 'DONE'),
    dueAt: Stamp('When it is due, business time'),
    doneAt: Nullable(Stamp('When it was done; null: not')),
  },
  { title: 'SimulatorStep' },
);

export const Run = Type.Object(
  {
    id: Uuid('Run'),
    bookingId: Uuid('Booking'),
    script: Choice(
      [...SCRIPTS, ...CUSTOMER_SCRIPTS],
      'What is played; those of customers are started by a phone number',
    ),
    everySeconds,
    startedBy: Choice(
      [...STARTERS],
      'A request, the header X-Sandbox-Run of the creation, or the phone number of the customer',
    ),
    status: Choice([...RUN_STATUSES], 'FAILED: a step was refused, for the reason given', 'COMPLETED'),
    reason: Type.Union(
      [
        Type.Object(
          {
            code: Text('Code of the refusal', 'INVALID_TRANSITION', 100),
            message: Text('The refusal', 'An appointment that is Cancelled cannot become Confirmed', 2_000),
          },
          { title: 'SimulatorRunReason' },
        ),
        Type.Null(),
      ],
      { description: 'Why it ended before its last step; null: it did not' },
    ),
    createdAt: Stamp('When it was started, business time'),
    finishedAt: Nullable(Stamp('When it ended; null: it runs')),
    steps: Type.Array(Step, { maxItems: 20, description: 'In their order' }),
  },
  { title: 'SimulatorRun' },
);

// ---------------------------------------------------------------------------
// Faults of deliveries

const kindOf = (example: FaultKind) =>
  Choice(
    [...FAULT_KINDS],
    'lose: never sent, FAILED at once. delay: sent later. duplicate: sent twice. reorder: sent after the next of its ' +
      'booking. bad-signature: sent with a wrong signature first',
    example,
  );
const kind = kindOf('lose');
const delaySeconds = Type.Integer({
  minimum: 1,
  maximum: MAX_DELAY,
  description: `Of delay alone: seconds of business time; ${DEFAULT_DELAY} unless given`,
  examples: [DEFAULT_DELAY],
});

export const SetFault = withRules(
  Body({
    // Together with delaySeconds.
    kind: kindOf('delay'),
    count: Type.Integer({
      minimum: 1,
      maximum: MAX_FAULTS,
      description:
        'How many of the next deliveries are treated so, instead of what was set for this kind before',
      examples: [1],
    }),
    delaySeconds: Optional(delaySeconds),
  }),
  (fault) =>
    fault.kind !== undefined && fault.kind !== 'delay' && fault.delaySeconds !== undefined
      ? ['delaySeconds must be given with the kind delay only']
      : [],
);

export const Fault = Type.Object(
  {
    kind,
    remaining: Type.Integer({
      minimum: 1,
      maximum: MAX_FAULTS,
      description: 'Deliveries that are still to be treated so',
      examples: [1],
    }),
    delaySeconds: Nullable(delaySeconds),
    setAt: Stamp('When it was set, business time'),
  },
  { title: 'WebhookFault' },
);
export const Treated = Type.Object(
  {
    deliveryId: Uuid('Delivery'),
    eventId: Uuid('Event, as the feed names it'),
    bookingId: Uuid('Booking'),
    kind,
    treatedAt: Stamp('When it was its turn, business time'),
  },
  { title: 'FaultyDelivery' },
);
export const Faults = Type.Object(
  {
    subscriptionId: Uuid('Subscription'),
    faults: Type.Array(Fault, {
      maxItems: FAULT_KINDS.length,
      description: 'In the order in which deliveries get them',
    }),
    treated: Type.Array(Treated, {
      maxItems: MAX_TREATED,
      description: 'Deliveries that got a fault, the latest first',
    }),
  },
  { title: 'WebhookFaults' },
);

// ---------------------------------------------------------------------------
// Simulated customers

export const Customers = Type.Object(
  {
    phone: Text('Phone number; nothing is ever sent to it', '+966590000001', 13),
    script: Choice(
      [...SCRIPTS, ...CUSTOMER_SCRIPTS, ...HOLD_ENDINGS, 'nothing'],
      'What the customer does with a payment link, or what becomes of its hold',
    ),
    everySeconds: Type.Integer({
      minimum: 0,
      maximum: MAX_EVERY,
      description: 'Seconds before each thing that the customer does',
      examples: [600],
    }),
  },
  { title: 'SandboxCustomer' },
);
