import { signal } from '@preact/signals';
import type { Appointment, Booking, Operations } from '../contract.ts';

/** Status changes that are held back for some seconds, so that they can be undone, and then sent in order. */

export type Status = Appointment['status'];

/** The fields of a visit that a step needs. */
export type StepVisit = {
  /** Of the appointment. */
  id: string;
  bookingId: string;
  name: string;
  version: number;
  status: Status;
  bookingStatus: Booking['status'];
  startsAt: string;
  endsAt: string;
};

export type Step = {
  visit: StepVisit;
  to: Status;
  /** Why, for steps without a way back. */
  cause?: { statusReason: StatusReason; statusNotes?: string };
  /** Why it is completed before its start. */
  forcedBecause?: string;
  /** Why an administrator corrects the status. */
  correctedBecause?: string;
};
export type StatusReason = NonNullable<Operations['updateAppointment']['takes']['body']['statusReason']>;

/** The failure of a step: the response's status (0: none), and the appointment as it is after a conflict. */
type SendError = { status: number; details: { current?: unknown } };

export type StepQueueOptions<Failed> = {
  /** Sends a step and resolves to the appointment's new version. `version` undefined: whatever it is. */
  send: (step: Step, version: number | undefined) => Promise<number>;
  /** Calls `run` after some milliseconds; returns a function that prevents it. */
  after: (milliseconds: number, run: () => void) => () => void;
  onSent: (step: Step) => void;
  /** The service cannot be reached; the step is tried again. */
  onWaiting: (step: Step) => void;
  onFailed: (step: Step, failure: Failed) => void;
};

/** The time in which a step can be undone. */
export const HOLD_MS = 8_000;
const FIRST_PAUSE = 2_000;
const MAX_PAUSE = 30_000;

/** No response, or none of the service itself. It may be sent again: it is for one version. */
const isUnreachable = ({ status }: SendError): boolean => status === 0 || (status >= 502 && status <= 504);

type Entry = { step: Step; isOver: boolean; onStarted: () => void };
/** A step that was sent: the appointment's new version, the failure, or null: given up. */
type Sent<Failed> = number | Failed | null;

/** The steps of one visit. */
type Chain<Failed> = {
  done: { to: Status; version: number } | null;
  sending: Entry[];
  held: Entry | null;
  last: Promise<Sent<Failed>> | null;
};

/** Pauses that can end early. */
function createPauses(after: StepQueueOptions<unknown>['after']) {
  const sleepers = new Set<() => void>();
  return {
    pause: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        const wake = (): void => {
          stop();
          sleepers.delete(wake);
          resolve();
        };
        const stop = after(milliseconds, wake);
        sleepers.add(wake);
      }),
    wakeAll(): void {
      for (const wake of [...sleepers]) wake();
    },
  };
}

export function createStepQueue<Failed extends SendError>(options: StepQueueOptions<Failed>) {
  const { send, after, onSent, onWaiting, onFailed } = options;
  const chains = new Map<string, Chain<Failed>>();
  const { pause, wakeAll } = createPauses(after);
  /** Counts changes of the chains, for those that show them. */
  const changes = signal(0);

  function chainOf(id: string): Chain<Failed> {
    const known = chains.get(id) ?? { done: null, sending: [], held: null, last: null };
    chains.set(id, known);
    return known;
  }

  async function attempt(entry: Entry, version: number | undefined): Promise<Sent<Failed>> {
    const { step } = entry;
    for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, MAX_PAUSE)) {
      try {
        return await send(step, version);
      } catch (error) {
        const failure = error as Failed;
        const current = failure.details.current as Partial<Appointment> | undefined;
        // The response to an earlier attempt was lost, or another request did the same.
        if (current?.status === step.to && current.version !== undefined) return current.version;
        if (!isUnreachable(failure)) return failure;
        if (!entry.isOver) onWaiting(step);
        await pause(wait);
        if (entry.isOver) return null;
      }
    }
  }

  /** Sends the held step of a visit after its earlier ones; when the page is left, at once. */
  function start(id: string, isLeaving = false): void {
    const chain = chainOf(id);
    const { held: entry, last, done } = chain;
    if (entry === null) return;
    // The data that was clicked on may be older than the last response.
    const version = Math.max(entry.step.visit.version, done?.version ?? 0);
    chain.held = null;
    entry.onStarted();
    chain.sending.push(entry);
    let sent: Promise<Sent<Failed>>;
    if (last === null) sent = attempt(entry, version);
    else if (isLeaving) sent = attempt(entry, undefined);
    else sent = last.then((result) => (typeof result === 'number' ? attempt(entry, result) : result));
    chain.last = sent;
    void sent.then((result) => end(id, entry, result));
  }

  function end(id: string, entry: Entry, result: Sent<Failed>): void {
    const chain = chainOf(id);
    entry.isOver = true;
    chain.sending = chain.sending.filter((one) => one !== entry);
    if (chain.sending.length === 0) chain.last = null;
    if (typeof result === 'number') {
      chain.done = { to: entry.step.to, version: result };
      onSent(entry.step);
    } else if (chain.sending.length === 0) {
      // A held step builds on the one that failed.
      const lost = chain.held ?? entry;
      lost.isOver = true;
      chain.held = null;
      chain.done = null;
      if (result !== null) onFailed(lost.step, result);
    }
    changes.value++;
  }

  return {
    /**
     * Holds back steps of different visits; returns their undo, which returns how many it took back. Calls `onAllStarted`
     * when none can be undone any more, because all are sent.
     */
    take(steps: readonly Step[], onAllStarted = (): void => {}): () => number {
      const entries = steps.map((step): Entry => {
        start(step.visit.id);
        const onStarted = () => {
          if (held().length === 0) onAllStarted();
        };
        const entry = { step, isOver: false, onStarted };
        const chain = chainOf(step.visit.id);
        chain.held = entry;
        // In the order of the steps, for `flush`.
        chains.delete(step.visit.id);
        chains.set(step.visit.id, chain);
        return entry;
      });
      changes.value++;
      const held = (): Entry[] => entries.filter((one) => chainOf(one.step.visit.id).held === one);
      const stop = after(HOLD_MS, () => {
        for (const { step } of held()) start(step.visit.id);
        changes.value++;
      });
      return () => {
        stop();
        const undone = held();
        for (const entry of undone) {
          entry.isOver = true;
          chainOf(entry.step.visit.id).held = null;
        }
        changes.value++;
        return undone.length;
      };
    },
    /** Sends what is held back, and what waits for another attempt. `isLeaving`: nothing runs afterwards. */
    async flush({ isLeaving = false } = {}): Promise<void> {
      for (const id of chains.keys()) start(id, isLeaving);
      wakeAll();
      await Promise.allSettled([...chains.values()].map(({ last }) => last));
    },
    /** Sends the steps of a visit; resolves to its version after them, or undefined: there were none. */
    async settle(id: string): Promise<number | undefined> {
      start(id);
      const result = await chainOf(id).last;
      return typeof result === 'number' ? result : undefined;
    },
    /** The version of a visit after its steps, which are sent first. */
    async versionAfter({ id, version }: Pick<StepVisit, 'id' | 'version'>): Promise<number> {
      start(id);
      await chainOf(id).last;
      return Math.max(version, chainOf(id).done?.version ?? 0);
    },
    /** Stops trying to send the steps of a visit. */
    giveUp(id: string): void {
      const { sending, held } = chainOf(id);
      for (const entry of [...sending, ...(held === null ? [] : [held])]) entry.isOver = true;
      wakeAll();
    },
    /** The status of a visit after its steps, until its data is reloaded. */
    statusOf({ id, version, status }: Pick<StepVisit, 'id' | 'version' | 'status'>): Status {
      if (changes.value === 0) return status;
      const chain = chains.get(id);
      if (chain === undefined) return status;
      const open = chain.held ?? chain.sending.at(-1);
      if (open !== undefined && open !== null) return open.step.to;
      return chain.done !== null && chain.done.version > version ? chain.done.to : status;
    },
    /** Whether steps wait or are on their way. */
    isBusy: (): boolean =>
      [...chains.values()].some(({ held, sending }) => held !== null || sending.length > 0),
  };
}
