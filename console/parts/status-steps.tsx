import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { Failure } from '../calls.ts';
import { changed } from '../changes.ts';
import type { Appointment, BookingDetail } from '../contract.ts';
import { failureText } from '../failure-text.ts';
import { dateTime } from '../format.ts';
import { nameOf, type PlainKey, t } from '../language.ts';
import { asFailure } from '../query.ts';
import { go, href } from '../router.ts';
import { may, now, onSignOut } from '../session.ts';
import { APPOINTMENT_MOVES, CLOSED, correctionsOf, UNPAID } from '../states.ts';
import { type Act, ActMenu } from './act-menu.tsx';
import { stateName } from './badge.tsx';
import { deciding, outcomeOf } from './deciding.ts';
import { DoneDialog } from './done-dialog.tsx';
import { ask } from './questions.tsx';
import { CannotCompleteDialog, CorrectDialog } from './step-dialogs.tsx';
import { createStepQueue, HOLD_MS, type Status, type Step, type StepVisit } from './step-queue.ts';
import { toast } from './toasts.tsx';

/** Steps of a visit through its statuses: each can be undone for some seconds, then it is sent. */

export type { Step, StepVisit } from './step-queue.ts';

const CHANGED = ['appointments', 'bookings', 'payments', 'availability', 'audit'] as const;

const queue = createStepQueue<Failure>({
  send: async ({ visit: { id }, to, cause, forcedBecause, correctedBecause }, version) => {
    const options = { ifMatch: version, keepalive: true };
    const forced = forcedBecause !== undefined && { force: true, reason: forcedBecause };
    try {
      const { data } =
        correctedBecause === undefined
          ? await call('updateAppointment', { id, body: { status: to, ...cause, ...forced } }, options)
          : await call('correctAppointment', { id, body: { status: to, reason: correctedBecause } }, options);
      return data.version;
    } catch (error) {
      throw asFailure(error);
    }
  },
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  onSent: ({ visit }) => {
    tell(visit.id, null);
    changed(CHANGED);
  },
  onWaiting: (step) => {
    const { visit } = step;
    if (told.has(visit.id)) return;
    tell(visit.id, () =>
      toast(t('step.waiting', { name: visit.name, status: stateName('appointment', step.to) }), {
        isFailure: true,
        acts: [{ text: t('step.giveUp'), run: () => queue.giveUp(visit.id) }],
      }),
    );
  },
  onFailed: (step, failure) => {
    changed(CHANGED);
    tell(step.visit.id, () => showFailure(step, failure));
  },
});

/** The last message about the steps of a visit that is still shown. */
const told = new Map<string, () => void>();

function tell(id: string, show: (() => () => void) | null): void {
  told.get(id)?.();
  told.delete(id);
  if (show !== null) told.set(id, show());
}

function showFailure(step: Step, failure: Failure): () => void {
  const { visit, to } = step;
  const { status: code, details } = failure;
  const current = code === 409 ? (details.current as Appointment | undefined) : undefined;
  const isStillOpen =
    current !== undefined &&
    (step.correctedBecause === undefined
      ? APPOINTMENT_MOVES[current.status]
      : correctionsOf(current.status)
    ).includes(to);
  const why =
    current === undefined
      ? failureText(failure)
      : t('step.changed', {
          status: stateName('appointment', current.status),
          when: dateTime(current.startsAt),
          team: nameOf(current.team),
        });
  return toast(t('step.failed', { name: visit.name, status: stateName('appointment', to), why }), {
    isFailure: true,
    acts: [
      ...(isStillOpen
        ? [
            {
              text: t('step.anyway'),
              run: () => {
                const { version, status, startsAt } = current;
                takeSteps([{ ...step, visit: { ...visit, version, status, startsAt } }]);
              },
            },
          ]
        : []),
      { text: t('step.toBooking'), run: () => go(href(`/bookings/${visit.bookingId}`)) },
    ],
  });
}

/** Sends what is held back: at once when the page is left or hidden, before signing out, and when it is online again. */
addEventListener('pagehide', () => void queue.flush({ isLeaving: true }));
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void queue.flush();
});
addEventListener('online', () => void queue.flush());
onSignOut(() => queue.flush({ isLeaving: true }));
// A step that the service has not accepted would be lost: the browser asks.
addEventListener('beforeunload', (event) => {
  if (told.size > 0 && queue.isBusy()) event.preventDefault();
});

let undoLast = (): boolean => false;

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
  if (event.target instanceof Element && event.target.closest('input, textarea, select') !== null) return;
  if (undoLast()) event.preventDefault();
});

/** Sets visits to a status, unless it is undone within some seconds: by the message, or Ctrl Z. */
export function takeSteps(steps: readonly Step[]): void {
  const [first] = steps;
  if (first === undefined) return;
  for (const { visit } of steps) tell(visit.id, null);
  // A message about steps that are sent offers no undo.
  const undo = queue.take(steps, () => dismiss());
  const { visit, to } = first;
  const status = stateName('appointment', to);
  const text =
    steps.length === 1
      ? t('step.held', { name: visit.name, status })
      : t('step.heldMany', { count: steps.length, status });
  const undoNow = (): boolean => {
    undoLast = () => false;
    deciding.value = null;
    dismiss();
    const count = undo();
    if (count === 0) return false;
    toast(
      steps.length === 1
        ? t('step.undone', { name: visit.name, status: stateName('appointment', statusOf(visit)) })
        : t('step.undoneMany', { count }),
    );
    return true;
  };
  const dismiss = toast(text, { undo: undoNow, lasts: HOLD_MS });
  undoLast = undoNow;
}

/** The status to show of a visit: that of its last step, until its data is reloaded. */
export const statusOf = (visit: Pick<StepVisit, 'id' | 'version' | 'status'>): Status =>
  queue.statusOf(visit);

/** Sends the held steps of a visit, before it is changed otherwise; resolves to its version after them. */
const settleSteps = (id: string): Promise<number | undefined> => queue.settle(id);

/** The version of a booking for a change of it, after the held steps of its visit, which are sent first. */
export async function settledVersion(
  { bookingId, appointment, version }: Pick<BookingDetail, 'bookingId' | 'appointment' | 'version'>,
  seen = version,
): Promise<number> {
  const stepped = await settleSteps(appointment.id);
  return stepped === undefined ? seen : (await call('getBooking', { id: bookingId })).data.version;
}

/** The version of a visit for another change, after its held steps, which are sent first. */
export const versionAfterSteps = (visit: Pick<StepVisit, 'id' | 'version'>): Promise<number> =>
  queue.versionAfter(visit);

/** null: it is named as the status. */
const LABELS: Record<Status, PlainKey | null> = {
  New: null,
  Scheduled: 'step.scheduled',
  Confirmed: 'step.confirmed',
  'In The Way': 'step.inTheWay',
  'In The location': 'step.inTheLocation',
  'In Progress': 'step.inProgress',
  Finished: 'step.finished',
  Completed: 'step.completed',
  'Cannot Complete': 'step.cannotComplete',
  Cancelled: null,
};

const labelOf = (to: Status): string => {
  const key = LABELS[to];
  return key === null ? stateName('appointment', to) : t(key);
};

/** The statuses that a visit can be set to, the next one of its way first. Cancelling belongs to the booking. */
export function stepsOf(visit: StepVisit): Status[] {
  if (CLOSED.includes(visit.bookingStatus)) return [];
  return APPOINTMENT_MOVES[statusOf(visit)].filter(
    (to) => to !== 'Cancelled' && (visit.bookingStatus !== 'waiting payment' || UNPAID.includes(to)),
  );
}

/** The corrections of the visit's status by an administrator. */
function correctionsFor(visit: StepVisit): Status[] {
  if (!may('correctAppointment') || CLOSED.includes(visit.bookingStatus)) return [];
  return correctionsOf(statusOf(visit)).filter(
    (to) => visit.bookingStatus !== 'waiting payment' || UNPAID.includes(to),
  );
}

/** The next step as the main button, what is `beside` it, and the other steps with `more` acts in a menu. */
export function StatusSteps({
  visit,
  beside,
  more = [],
}: {
  visit: StepVisit;
  beside?: ComponentChildren;
  more?: readonly Act[];
}) {
  const [open, setOpen] = useState<'cannotComplete' | 'correct' | 'done' | null>(null);
  const steps = may('updateAppointment') ? stepsOf(visit) : [];
  const corrections = correctionsFor(visit);
  const next = steps.find((to) => to !== 'Cannot Complete');
  const others = steps.filter((to) => to !== next);
  const current = { ...visit, status: statusOf(visit) };
  async function take(to: Status): Promise<void> {
    if (to === 'Cannot Complete') return setOpen('cannotComplete');
    if (to !== 'Completed' || now.peek() >= Date.parse(visit.startsAt))
      return takeSteps([{ visit: current, to }]);
    const forcedBecause = await ask({
      title: t('step.earlyTitle'),
      text: t('step.earlyText'),
      reason: t('field.reason'),
      confirm: t('step.completed'),
    });
    if (forcedBecause !== null) takeSteps([{ visit: current, to, forcedBecause }]);
  }
  const close = (): void => setOpen(null);
  const acts: Act[] = [
    ...others.map((to) => ({ text: labelOf(to), run: () => void take(to) })),
    ...(steps.some((to) => to !== 'Confirmed')
      ? [{ text: t('done.open'), run: () => void settleSteps(visit.id).then(() => setOpen('done')) }]
      : []),
    ...(corrections.length > 0 ? [{ text: t('step.correct'), run: () => setOpen('correct') }] : []),
    ...more,
  ];
  return (
    <span class="steps">
      {next !== undefined && (
        <button
          type="button"
          class="primary"
          onClick={({ detail }) => {
            // The second click of a double click is not meant for the step after this one.
            if (detail < 2) void take(next);
          }}
        >
          {labelOf(next)}
        </button>
      )}
      {beside}
      <ActMenu acts={acts} />
      {open === 'cannotComplete' && (
        <CannotCompleteDialog
          visit={current}
          onClose={close}
          onDone={(cause) => {
            takeSteps([{ visit: current, to: 'Cannot Complete', cause }]);
            const { bookingId, name } = visit;
            deciding.value = { bookingId, name, outcome: outcomeOf(cause.statusReason) };
          }}
        />
      )}
      {open === 'done' && <DoneDialog visits={[visit]} onClose={close} />}
      {open === 'correct' && (
        <CorrectDialog
          visit={current}
          statuses={corrections}
          onClose={close}
          onDone={(to, correctedBecause) => takeSteps([{ visit: current, to, correctedBecause }])}
        />
      )}
    </span>
  );
}
