import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { type Links, withLinks } from '../bookings/links.ts';
import type { Advanced } from './advance.ts';
import type { RunWithSteps, StepRow } from './table.ts';

const isoOrNull = (at: Instant | null): string | null => (at === null ? null : toRiyadhIso(at));

/** A run in the partners' interface, with its steps in order. */
export function runView(run: RunWithSteps) {
  const { reason_code: code, reason_message: message } = run;
  return {
    id: run.id,
    bookingId: run.booking_id,
    script: run.script,
    everySeconds: run.every_seconds,
    startedBy: run.started_by,
    status: run.status,
    reason: code === null || message === null ? null : { code, message },
    createdAt: toRiyadhIso(run.created_at),
    finishedAt: isoOrNull(run.finished_at),
    steps: run.steps.map(stepView),
  };
}

function stepView(step: StepRow) {
  return {
    number: step.number,
    action: step.action,
    to: step.appointment_status,
    status: step.status,
    dueAt: toRiyadhIso(step.due_at),
    doneAt: isoOrNull(step.done_at),
  };
}

/** A moved booking as it goes over the wire. */
export function advancedView(links: Links, { booking, ...advanced }: Advanced) {
  return { ...advanced, booking: withLinks(links, booking) };
}
