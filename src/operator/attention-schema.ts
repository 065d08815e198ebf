import Type, { type Static, type TSchema } from 'typebox';
import { CrewStep } from '../crew/operator-schema.ts';
import { FoundMessage } from '../customers/operator-schema.ts';
import type { AppointmentConcern, BookingConcern } from '../dispatch/attention-rules.ts';
import { Appointment, AppointmentLimits, BookingLimits, OperatorBooking } from '../dispatch/schema.ts';
import { DateText, Stamp, Text, Uuid } from '../http/schemas.ts';
import { Payment } from '../payments/operator-schema.ts';
import { Sar } from '../policies/schema.ts';
import { PrivacyRequest } from '../privacy/request-schema.ts';
import { OperatorSeries } from '../series/schema.ts';
import { OperatorDelivery } from '../webhooks/delivery-schema.ts';

/** Query and response of /operator/attention. */

/** Of each concern: an evening's trouble is stepped through without another request. */
const MAX_ROWS = 100;

export const AttentionQuery = Type.Object({
  zoneId: Type.Optional(
    Uuid(
      'Only appointments and bookings of this zone; held days, payments, steps of crews, messages, privacy requests and deliveries have none',
    ),
  ),
  ...AppointmentLimits,
  ...BookingLimits,
  failingWithinHours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_160,
      default: 24,
      description: 'Deliveries that were given up within these hours, beside those that will be tried again',
      examples: [24],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ROWS,
      default: 5,
      description: 'Rows of each concern',
      examples: [5],
    }),
  ),
});
export type AttentionQuery = Static<typeof AttentionQuery>;

const Concern = <T extends TSchema>(item: T, description: string, list: string) =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Their number', examples: [1] }),
      list: Text('Path and query of the list that has all of them', list, 1_000),
      rows: Type.Array(item, { maxItems: MAX_ROWS, description: 'The first ones, as that list has them' }),
    },
    { description },
  );

const minutesOf = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });

const HeldDay = Type.Object(
  {
    date: DateText('Riyadh date'),
    freeMinutes: minutesOf("Minutes of the active teams' hours that are not sold, held ones included", 480),
    heldMinutes: minutesOf('Minutes of slots that are held', 240),
  },
  { title: 'HeldDay' },
);

/** The section of a concern: `team-away` is `teamAway`. */
type SectionOf<Concern extends string> = Concern extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<SectionOf<Rest>>}`
  : Concern;
type Sections = Record<SectionOf<AppointmentConcern | BookingConcern>, TSchema> & Record<string, TSchema>;

const appointments = (description: string, attention: AppointmentConcern) =>
  Concern(Appointment, description, `/operator/appointments?attention=${attention}`);

export const Attention = Type.Object(
  {
    at: Stamp('As of when'),
    unassigned: appointments('Appointments that start soon and have no team yet', 'unassigned'),
    unconfirmed: appointments('Appointments that start soon and are not confirmed', 'unconfirmed'),
    late: appointments('Appointments that should have begun', 'late'),
    unreported: appointments(
      'Those of `late` of which nobody has reported anything: not on the way, not there, not how late',
      'unreported',
    ),
    overdue: appointments('Appointments that should have ended, begun or not', 'overdue'),
    teamAway: appointments(
      'Appointments, not begun, that their team could not do as they were sold: it is inactive, off, not on shift, lacks ' +
        'the skill or does not serve the zone any more',
      'team-away',
    ),
    cannotComplete: appointments(
      'Appointments that could not be completed, and whose booking nobody has decided on',
      'cannot-complete',
    ),
    cancelledAlone: appointments(
      'Appointments that were cancelled while their booking was not',
      'cancelled-alone',
    ),
    notCompleted: appointments('Appointments that are Finished and not Completed', 'not-completed'),
    workCancelled: appointments(
      'Visits of the last 14 days that were cancelled after their work had begun, or was done',
      'work-cancelled',
    ),
    daysHeld: Concern(
      HeldDay,
      'Dates of which live holds take more than a third of the free time; `list` has the holds of the first of them',
      '/operator/holds?date=2026-12-01',
    ),
    seriesUnplaced: Concern(
      OperatorSeries,
      'Series with a visit to come that could not be placed, or that place nothing for now',
      '/operator/series?unplaced=true',
    ),
    paidCancelled: Concern(
      OperatorBooking,
      'Bookings whose payment was confirmed although their appointment was cancelled alone: cancel the booking, or plan it anew',
      '/operator/bookings?attention=paid-cancelled',
    ),
    feesToDecide: Concern(
      OperatorBooking,
      'Cancellations on whose fee you decide, because nobody knows why the visit was not done; after seven days there is none',
      '/operator/bookings?attention=fees-to-decide',
    ),
    feesGivenBack: Type.Object(
      {
        ...Concern(
          OperatorBooking,
          'Bookings of which fees were given back today',
          '/operator/bookings?attention=fees-given-back',
        ).properties,
        sum: Sar('SAR: what was given back today in all', 37.5),
      },
      { description: 'Bookings of which fees were given back today (Riyadh), and the sum' },
    ),
    paymentDue: Concern(
      OperatorBooking,
      'Bookings that wait for payment although their appointment is near',
      '/operator/bookings?attention=payment-due',
    ),
    droppedUnpaid: Concern(
      OperatorBooking,
      'Bookings that were dropped because nobody paid, whose visit was to be today (Riyadh), and whose customer has no ' +
        'other booking for that day',
      '/operator/bookings?attention=dropped-unpaid',
    ),
    linksNotMade: Concern(
      Payment,
      'Payments that have waited for more than a minute for their link: the gateway does not make it, and the customer cannot pay',
      '/operator/payments?unsent=make',
    ),
    linksNotSent: Concern(
      Payment,
      'Payments whose link could not be sent to the customer for more than a minute',
      '/operator/payments?unsent=send',
    ),
    refundsToDecide: Concern(
      Payment,
      'Payments of bookings that were cancelled after their work had begun: an operator decides what goes back',
      '/operator/payments?refundStatus=TO_DECIDE',
    ),
    stepsRefused: Concern(
      CrewStep,
      'Steps of crews that were refused in the last 24 hours, and about which nobody has decided: what the street did is ' +
        'not what the office knows',
      '/operator/crew-steps?outcome=UNDECIDED&withinHours=24',
    ),
    messagesFailed: Concern(
      FoundMessage,
      'Messages to customers that could not be sent, of the last 24 hours: they are not tried again',
      '/operator/messages?status=FAILED&withinHours=24',
    ),
    privacyRequestsDue: Concern(
      PrivacyRequest,
      "Customers' requests for a copy, a correction or their erasure that are due within 7 days, or overdue",
      '/operator/privacy-requests?dueWithinDays=7&sortBy=dueAt&sortOrder=ASC',
    ),
    deliveriesFailing: Concern(
      OperatorDelivery,
      'Webhook deliveries that fail',
      '/operator/deliveries?failingWithinHours=24',
    ),
  } satisfies Sections,
  { title: 'Attention' },
);
