import { changeAppointment, readAppointment, searchAppointments } from '../bookings/operate.ts';
import {
  AppointmentResponse,
  AppointmentsQuery,
  AppointmentsResponse,
  ChangeAppointment,
} from '../bookings/operate-schema.ts';
import { appointmentView } from '../bookings/operate-view.ts';
import { IdParams } from '../catalogue/admin-schema.ts';
import type { Deps } from '../deps.ts';
import { success, successPage } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';

/** Appointments of all partners in the operator's interface. */
export function appointmentAdminRoutes(app: App, { db, clock, plans }: Deps): void {
  app.get(
    '/appointments',
    {
      schema: {
        operationId: 'listAppointments',
        summary: "List all partners' appointments, by start",
        tags: ['Appointments'],
        querystring: AppointmentsQuery,
        response: { 200: AppointmentsResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => successPage(query, await searchAppointments(db, query), appointmentView),
  );

  app.get(
    '/appointments/:id',
    {
      schema: {
        operationId: 'getAppointment',
        summary: 'Read an appointment',
        tags: ['Appointments'],
        missing: ['Appointment'],
        params: IdParams,
        response: { 200: AppointmentResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ params }) => success(appointmentView(await readAppointment(db, params.id))),
  );

  app.patch(
    '/appointments/:id',
    {
      schema: {
        operationId: 'updateAppointment',
        summary: 'Move an appointment to another team or time, or change its status; all of it or nothing',
        tags: ['Appointments'],
        missing: ['Appointment'],
        errors: [
          'INVALID_TRANSITION',
          { code: 'BOOKING_CREATION_FAILED', message: 'The appointment cannot be moved there' },
        ],
        params: IdParams,
        body: ChangeAppointment,
        response: { 200: AppointmentResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }) =>
      success(appointmentView(await changeAppointment(db, plans, clock.now(), actor, params.id, body))),
  );
}
