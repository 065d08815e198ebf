import Type from 'typebox';
import { CreateBooking } from '../bookings/schema.ts';
import { timeslotFaults } from '../bookings/timeslots.ts';
import { Body, Choice, Text, Uuid } from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { OUTCOMES } from '../policies/rules.ts';
import { CancelForOperator, ChangeAppointment } from './schema.ts';

/** Bodies of the decisions about a visit that could not be done. */

export const CloseBooking = Body({
  reasonId: CancelForOperator.properties.reasonId,
  outcome: Type.Optional(
    Choice([...OUTCOMES], 'Why the visit could not be done; left out: as was said with the status'),
  ),
  notes: Type.Optional(Text('Why, in your words', 'Nobody opened, called twice', 2_000)),
});

const { force, reason } = ChangeAppointment.properties;

export const RevisitBooking = withRules(
  Body({
    date: CreateBooking.properties.date,
    timeslot: CreateBooking.properties.timeslot,
    teamId: Type.Optional(Uuid('Left out: any free team, that of the first visit before others')),
    force,
    reason,
  }),
  timeslotFaults,
);
