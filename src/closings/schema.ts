import Type from 'typebox';
import { CreateBooking } from '../bookings/schema.ts';
import { timeslotFaults } from '../bookings/timeslots.ts';
import { CancelForOperator, ChangeAppointment } from '../dispatch/schema.ts';
import { Body, Choice, Text, Uuid, Words } from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { Sar } from '../policies/schema.ts';
import { OUTCOMES } from '../policies/words.ts';

/** Bodies of the decisions about a visit that could not be done. */

const { maxFee } = CancelForOperator.properties;

export const CloseBooking = Body({
  reasonId: CancelForOperator.properties.reasonId,
  outcome: Type.Optional(
    Choice([...OUTCOMES], 'Why the visit could not be done; left out: as was said with the status'),
  ),
  notes: Type.Optional(Text('Why, in your words', 'Nobody opened, called twice', 2_000)),
  maxFee,
});

export const RecordOutcome = Body({
  outcome: Choice([...OUTCOMES], 'Why the visit could not be done'),
  reason: Words(
    'How you know, in your words; for operators',
    'The customer sent a photo of the closed gate',
    500,
  ),
});

export const WaiveFees = Body({
  amount: Sar(
    'SAR: what is given back in all, with earlier waivers, so that it can be repeated; read as `feesGivenBack`',
    37.5,
  ),
  reason: Words('Why, in your words; for operators', 'A gesture to a good customer', 500),
});

const { force, reason, displaceHolds } = ChangeAppointment.properties;

export const RevisitBooking = withRules(
  Body({
    date: CreateBooking.properties.date,
    timeslot: CreateBooking.properties.timeslot,
    teamId: Type.Optional(Uuid('Left out: any free team, that of the first visit before others')),
    force,
    reason,
    displaceHolds,
  }),
  timeslotFaults,
);
