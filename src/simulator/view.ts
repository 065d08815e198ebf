import { type Links, withLinks } from '../bookings/links.ts';
import { viewBy } from '../http/fields.ts';
import type { Advanced } from './advance.ts';
import { Run, Step } from './schema.ts';
import type { RunWithSteps } from './table.ts';

/** A run in the partners' interface, with its steps in order. */
export function runView(run: RunWithSteps) {
  const { reason_code: code, reason_message: message } = run;
  return viewBy(Run, run, {
    reason: code === null || message === null ? null : { code, message },
    steps: run.steps.map((step) => viewBy(Step, step, { to: step.appointment_status })),
  });
}

/** A moved booking as it goes over the wire. */
export function advancedView(links: Links, { booking, ...advanced }: Advanced) {
  return { ...advanced, booking: withLinks(links, booking) };
}
