import type { CrewStepTaken, CrewVisit, TakeCrewStepRequest } from './contract.ts';

/** The steps of visits, and the queue of those that are not sent: pure. */

export type Status = CrewVisit['status'];
/** What is reported: a status, or that the team runs late. */
export type Step = TakeCrewStepRequest['to'];
export type StepStatus = Exclude<Step, 'Late'>;
export type Reason = NonNullable<TakeCrewStepRequest['reason']>;

/** Milliseconds in which a step can be undone before it is sent. */
export const UNDO = 10_000;

/** A step as it is kept until the service has answered. */
export type QueuedStep = {
  key: string;
  teamId: string;
  visitId: string;
  /** The tracking reference, for what is refused. */
  visitName: string;
  to: Step;
  startsAt: string;
  /** By the telephone's clock, in milliseconds. */
  happenedAt: number;
  /** Milliseconds by which the service's clock was ahead at its last answer before. */
  ahead?: number;
  /** Until when it is not sent. */
  sendAt: number;
  reason?: Reason;
  text?: string;
  /** Of Late. */
  minutes?: number;
};

export type RefusedStep = Pick<QueuedStep, 'key' | 'visitName' | 'to'> & {
  refusal: NonNullable<CrewStepTaken['refusal']>;
};

type Shown = {
  /** As the crew sees it: Confirmed and Completed are the office's words. */
  as: 'Scheduled' | StepStatus | 'Cancelled';
  is: 'planned' | 'under way' | 'over';
  /** The step after it; null: there is none. */
  next: StepStatus | null;
};

export const SHOWN: Record<Status, Shown> = {
  New: { as: 'Scheduled', is: 'planned', next: null },
  Scheduled: { as: 'Scheduled', is: 'planned', next: 'In The Way' },
  Confirmed: { as: 'Scheduled', is: 'planned', next: 'In The Way' },
  'In The Way': { as: 'In The Way', is: 'under way', next: 'In The location' },
  'In The location': { as: 'In The location', is: 'under way', next: 'In Progress' },
  'In Progress': { as: 'In Progress', is: 'under way', next: 'Finished' },
  Finished: { as: 'Finished', is: 'over', next: null },
  Completed: { as: 'Finished', is: 'over', next: null },
  'Cannot Complete': { as: 'Cannot Complete', is: 'over', next: null },
  Cancelled: { as: 'Cancelled', is: 'over', next: null },
};

export const isOver = ({ status }: { status: Status }): boolean => SHOWN[status].is === 'over';

export type ShownVisit = CrewVisit & {
  /** The step that may follow, with those in the queue. */
  step: StepStatus | null;
  mayGiveUp: boolean;
  /** Whether its team may say that it runs late. */
  mayBeLate: boolean;
  /** Its last step in the queue. */
  waiting: QueuedStep | null;
};

const isStatus = ({ to }: QueuedStep): boolean => to in SHOWN;

/** The visit as it is once the queue has been sent. */
export function withQueue(visit: CrewVisit, queue: readonly QueuedStep[]): ShownVisit {
  const own = queue.filter(({ visitId }) => visitId === visit.id);
  const [waiting = null] = own.slice(-1);
  const [last] = own.filter(isStatus).slice(-1);
  const [delay] = own.filter(({ to }) => to === 'Late').slice(-1);
  const shown = {
    ...visit,
    lateMinutes: delay === undefined ? visit.lateMinutes : delay.minutes || null,
    waiting,
  };
  const isNotThere = (status: Status): boolean =>
    visit.next.length > 0 && (SHOWN[status].is === 'planned' || status === 'In The Way');
  if (last === undefined) {
    const step = visit.next.find((to): to is StepStatus => to !== 'Cannot Complete') ?? null;
    const mayGiveUp = visit.next.includes('Cannot Complete');
    return { ...shown, step, mayGiveUp, mayBeLate: isNotThere(visit.status) };
  }
  const status = last.to as StepStatus;
  // From what is under way a visit can be given up.
  const { is, next } = SHOWN[status];
  return { ...shown, status, step: next, mayGiveUp: is === 'under way', mayBeLate: isNotThere(status) };
}

/** The queue with a further step; those before it are due now, so that the order stays. */
export function withStep(queue: readonly QueuedStep[], step: QueuedStep, now: number): QueuedStep[] {
  return [...queue.map((one) => ({ ...one, sendAt: Math.min(one.sendAt, now) })), step];
}

/** The first step of the team, if it is due; else the milliseconds until it is. null: there is none. */
export function dueStep(
  queue: readonly QueuedStep[],
  teamId: string,
  now: number,
): { step: QueuedStep } | { wait: number } | null {
  const step = queue.find((one) => one.teamId === teamId);
  if (step === undefined) return null;
  const wait = step.sendAt - now;
  // A clock that was set back must not keep a step.
  return wait <= 0 || wait > UNDO ? { step } : { wait };
}

const HOUR = 3_600_000;
/** Milliseconds after the end of a link for which steps count and the telephone shows its list. */
const GRACE = 12 * HOUR;

/** Whether a link ends within an hour or has ended, and whether what it showed is to be forgotten; null: neither. */
export function endOf(
  kept: { endsAt?: string | null } | null,
  serviceTime: number,
): 'soon' | 'ended' | 'forgotten' | null {
  // A list that an earlier build kept has no end.
  const end = Date.parse(kept?.endsAt ?? '');
  if (Number.isNaN(end) || serviceTime < end - HOUR) return null;
  if (serviceTime < end) return 'soon';
  return serviceTime < end + GRACE ? 'ended' : 'forgotten';
}

/** When a step was tapped, by the telephone's clock: not before the last answer, since which the clock may have fallen back. */
export const tappedAt = (now: number, readAt: number): number => Math.max(now, readAt);

/** The body of a step that is sent now. */
export function bodyOf(
  { key, to, startsAt, happenedAt, ahead, reason, text, minutes }: QueuedStep,
  now: number,
): TakeCrewStepRequest {
  return {
    key,
    to,
    startsAt,
    happenedAt: new Date(happenedAt).toISOString(),
    sentAt: new Date(now).toISOString(),
    ...(ahead !== undefined && { ahead: Math.round(ahead) }),
    ...(reason !== undefined && { reason }),
    ...(text !== undefined && text !== '' && { text }),
    ...(minutes !== undefined && { minutes }),
  };
}

/** A text without halves of characters, which a field that is full leaves behind, and without space around it. */
export const wholeText = (text: string): string =>
  [...text]
    .filter((one) => !/^[\ud800-\udfff]$/.test(one))
    .join('')
    .trim();
