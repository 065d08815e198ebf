import type { PlanCache } from '../availability/plan.ts';
import type { ProposedFirst } from '../availability/proposals.ts';
import { NO_MOVES_LEFT_HINT } from '../bookings/fees.ts';
import { correctionsOf } from '../bookings/rules.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import {
  changeAppointment,
  correctAppointment,
  readAppointment,
  searchAppointments,
} from './appointments.ts';
import { recordCall } from './calls.ts';
import { readPlacements } from './placements.ts';
import { Placements, PlacementsQuery } from './placements-schema.ts';
import {
  Appointment,
  AppointmentsQuery,
  ChangeAppointment,
  CorrectAppointment,
  RecordCall,
} from './schema.ts';
import { appointmentView } from './view.ts';

const NO_MOVES_LEFT = {
  code: 'BOOKING_NOT_EDITABLE' as const,
  message: 'The policy allows no further rescheduling of the booking',
  details: { status: 'in progress', maxReschedules: 0, reschedules: 0, hints: [NO_MOVES_LEFT_HINT] },
};

/** Appointments of all partners in the operator's interface. */
export function operatorAppointmentRoutes(
  app: App,
  { db, clock, plans, config }: RouteParts & { plans: PlanCache; config: { proposedFirst: ProposedFirst } },
): void {
  const route = routesOf(app, { tags: ['Appointments'], missing: ['Appointment'], params: IdParams });

  route.get('/operator/appointments', {
    operationId: 'listAppointments',
    summary: "List all partners' appointments, by start",
    query: AppointmentsQuery,
    response: { page: Appointment },
    answer: async ({ query }) => pageOf(await searchAppointments(db, clock.now(), query), appointmentView),
  });

  route.get('/operator/appointments/:id', {
    operationId: 'getAppointment',
    summary: 'Read an appointment',
    etag: true,
    response: { data: Appointment },
    answer: async ({ params }) => appointmentView(await readAppointment(db, params.id)),
  });

  route.get('/operator/appointments/:id/placements', {
    operationId: 'listPlacements',
    summary:
      'Show for every team and start of a date whether an appointment could be moved there, or why not',
    description:
      'With the length that was sold. What the appointment holds itself counts as free. Its own start, on its own ' +
      'date, is open to every team that could do it, whatever the catalogue says today. A placement is taken with PATCH /appointments/:id: ' +
      '`teamId`, `date` and `timeslot`.',
    query: PlacementsQuery,
    response: { data: Placements },
    answer: async ({ params, query }) =>
      await readPlacements({ db, first: config.proposedFirst }, clock.now(), params.id, query),
  });

  route.patch('/operator/appointments/:id', {
    operationId: 'updateAppointment',
    summary: 'Move an appointment to another team or time, or change its status, atomically',
    description:
      'Another team at the same time is asked for its skill, shift and time off, and for no overlap. Another time ' +
      'follows the rules of slots, with the length that was sold; at another start an appointment that was ' +
      '`Confirmed`, `In The Way` or `In The location` is `Scheduled` again. From `In Progress` on it cannot be moved. Slots that customers ' +
      'hold there go to other free teams; where there is none it is `HELD`, until `displaceHolds` names them. A start ' +
      'that you change by 30 minutes or more frees the partner from further fees, unless `onBehalfOf` says that the customer asked for it.',
    errors: [
      'INVALID_TRANSITION',
      { code: 'BOOKING_CREATION_FAILED', message: 'The appointment cannot be moved there' },
      'FEE_CHANGED',
      NO_MOVES_LEFT,
    ],
    body: ChangeAppointment,
    config: { role: 'dispatcher' },
    ifMatch: true,
    etag: true,
    response: { data: Appointment },
    answer: async ({ actor, params, body, wanted }) => {
      const change = { appointmentId: params.id, changes: body, wanted };
      return appointmentView(await changeAppointment({ db, plans }, clock.now(), actor, change));
    },
  });

  route.post('/operator/appointments/:id/calls', {
    operationId: 'recordCall',
    summary: 'Keep what the customer answered when she was called about a visit',
    description:
      'For the office alone. Each call is kept, with who called and when; the last one is `lastCall` of the appointment, whose ' +
      'version stays.',
    body: RecordCall,
    config: { role: 'dispatcher' },
    response: { data: Appointment },
    answer: async ({ actor, params, body }) =>
      appointmentView(await recordCall(db, clock.now(), actor, { appointmentId: params.id, ...body })),
  });

  route.post('/operator/appointments/:id/correct', {
    operationId: 'correctAppointment',
    summary: 'Correct the status of an appointment that was set wrongly',
    description:
      'Among the statuses in which the appointment holds its team (`Scheduled` to `Finished`, `Cannot Complete`), and to ' +
      '`Completed`. Not from `Completed`, which has settled the booking, and neither from nor to `New` and ' +
      '`Cancelled`: the partner has seen the appointment, and the team may be sold again. The partner gets ' +
      '`booking.appointment_status_changed` as of every change; the history and the audit log keep the reason.',
    errors: [
      noMove('An appointment that is Scheduled cannot be corrected to Cancelled', {
        from: 'Scheduled',
        to: 'Cancelled',
        allowed: correctionsOf('Scheduled'),
      }),
    ],
    body: CorrectAppointment,
    ifMatch: true,
    etag: true,
    response: { data: Appointment },
    answer: async ({ actor, params, body, wanted }) => {
      const correction = { appointmentId: params.id, ...body, wanted };
      return appointmentView(await correctAppointment({ db, plans }, clock.now(), actor, correction));
    },
  });
}
