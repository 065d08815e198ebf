import Type, { type Static } from 'typebox';
import { HoldsInTheWay } from '../availability/operator-schema.ts';
import { APPOINTMENT_STATUSES, BOOKING_STATUSES, PAYMENT_STATUSES } from '../bookings/rules.ts';
import { BOOKINGS } from '../bookings/table.ts';
import { Address, CustomerPhone, TeamPhone } from '../contacts/schema.ts';
import { LastCall, LateMinutes } from '../dispatch/schema.ts';
import { shownFields } from '../http/fields.ts';
import {
  Choice,
  DateInput,
  DateText,
  Ids,
  MAX_UNPAGED,
  Nullable,
  Stamp,
  Text,
  teamNames,
  Uuid,
  Version,
  zoneNames,
} from '../http/schemas.ts';
import type { VisitRefusal } from '../teams/visit-queries.ts';

/** Query and response of /operator/board. */

export const BoardQuery = Type.Object({
  date: DateInput('Riyadh date'),
  zoneId: Type.Optional(Uuid('Only the teams of this zone, and who else has an appointment in it')),
});
export type BoardQuery = Static<typeof BoardQuery>;

const minutes = (description: string, example: number, least: number) =>
  Type.Integer({ minimum: least, maximum: 1_440, description, examples: [example] });

export const ZoneOnBoard = Type.Object({
  id: Uuid('Zone'),
  ...zoneNames,
  isActive: Type.Boolean({ description: 'Whether it can be booked in', examples: [true] }),
  slotGridMinutes: minutes('Minutes between two starts', 30, 1),
  version: Version,
});

export const TimeOffOnBoard = Type.Object({
  id: Uuid('Time off'),
  startsAt: Stamp('Start', '2026-12-01T00:00:00+03:00'),
  endsAt: Stamp('End (exclusive)', '2026-12-02T00:00:00+03:00'),
  reason: Text('Only visible to the operator', 'Training', 500),
});

export const TeamOnBoard = Type.Object(
  {
    id: Uuid('Team'),
    ...teamNames,
    phone: TeamPhone,
    isActive: Type.Boolean({ description: 'Whether it can be booked', examples: [true] }),
    homeZoneId: Nullable(Uuid('Zone under which it is listed; null: the first that it serves, by name')),
    zoneIds: Ids('Zones it serves'),
    serviceIds: Ids('Services it can do'),
    travelBufferMinutes: minutes('Minutes kept free between two appointments', 30, 0),
    shifts: Type.Array(
      Type.Object({
        startsAt: Stamp('Start; on the day before for the rest of a night', '2026-12-01T08:00:00+03:00'),
        endsAt: Stamp('End; on the next day for a night', '2026-12-01T20:00:00+03:00'),
      }),
      { maxItems: 100, description: 'Shifts that touch the date, by start, whole' },
    ),
    timeOff: Type.Array(TimeOffOnBoard, {
      maxItems: MAX_UNPAGED,
      description: 'Times off that touch the date, by start, whole',
    }),
    version: Version,
  },
  { title: 'BoardTeam' },
);

const VisitProblem = Type.Unsafe<VisitRefusal | null>({
  enum: ['INACTIVE', 'NOT_IN_ZONE', 'NO_SKILL', 'OFF_SHIFT', 'TIME_OFF', null],
  description:
    'Why its team could not take it by the rules: it was forced there, or the team has changed since. null: it could, ' +
    'or the work is over',
  examples: [null],
});

const BoardAppointment = Type.Object(
  {
    id: Uuid('Appointment'),
    version: Version,
    name: Text('Tracking reference', 'SA-0042', 36),
    status: Choice([...APPOINTMENT_STATUSES], 'Appointment status'),
    isAssigned: Type.Boolean({
      description: 'false: it is New. `teamId` holds the time for it, and nobody has confirmed the team yet',
      examples: [true],
    }),
    teamId: Uuid('Team that holds the time'),
    zoneId: Uuid('Zone it lies in'),
    startsAt: Stamp('Start', '2026-12-01T09:00:00+03:00'),
    endsAt: Stamp('End', '2026-12-01T11:00:00+03:00'),
    busyUntil: Stamp('End of the travel buffer after it', '2026-12-01T11:30:00+03:00'),
    problem: VisitProblem,
    lateMinutes: LateMinutes,
    lastCall: LastCall,
    booking: Type.Object({
      id: Uuid('Its booking'),
      version: Version,
      status: Choice([...BOOKING_STATUSES], 'Booking status'),
      paymentStatus: Choice([...PAYMENT_STATUSES], 'Payment status'),
      paymentResponsibility: Choice(['PARTNER', 'PLATFORM'], 'Who collects the payment'),
      amount: Type.Number({ description: 'SAR, locked at creation', examples: [150] }),
      ...shownFields(BOOKINGS, 'operator'),
    }),
    partner: Type.Object({ id: Uuid('Partner'), name: Text('Its name', 'Home Deals') }),
    service: Type.Object({
      id: Uuid('Service'),
      nameEn: Text('English name', 'Deep cleaning'),
      nameAr: Text('Arabic name, or the English one when there is none', 'تنظيف عميق'),
    }),
    contact: Type.Object({
      id: Uuid('Contact'),
      name: Text('Customer', 'Noura Al-Qahtani'),
      phone: CustomerPhone,
    }),
    address: Address,
  },
  { title: 'BoardAppointment' },
);

export const Board = Type.Object(
  {
    date: DateText('Requested date'),
    from: Stamp('Its midnight', '2026-12-01T00:00:00+03:00'),
    until: Stamp('The next midnight', '2026-12-02T00:00:00+03:00'),
    zones: Type.Array(ZoneOnBoard, {
      maxItems: MAX_UNPAGED,
      description: 'The requested zone, or all active ones, by name',
    }),
    teams: Type.Array(TeamOnBoard, {
      maxItems: MAX_UNPAGED,
      description: 'Active teams, and those that have an appointment, by name',
    }),
    appointments: Type.Array(BoardAppointment, {
      maxItems: 100_000,
      description:
        'What holds the teams on the date, in any zone, by start; from the night before and into the next one too, ' +
        'without the cancelled ones',
    }),
    holds: Type.Array(
      Type.Object(
        { teamId: Uuid('Team that is held'), ...HoldsInTheWay.items.properties },
        { title: 'HoldOnBoard' },
      ),
      { maxItems: 100_000, description: 'Slots that customers hold with these teams now, by start' },
    ),
  },
  { title: 'Board' },
);
