import { type Signal, signal } from '@preact/signals';
import type { CrewDay } from './contract.ts';
import type { QueuedStep, RefusedStep } from './steps.ts';

/** Storage of the telephone: the last list, steps that are not sent, and refused ones that nobody has seen. */

export type KeptDay = {
  teamId: string;
  teamName: string;
  teamNameAr: string;
  day: CrewDay | null;
  /** By the telephone's clock. */
  readAt: number;
  /** Milliseconds by which the service's clock is ahead. */
  ahead: number;
};

type Kept<T> = Signal<T> & {
  /** Changes what is kept now, also by another tab. */
  change(by: (value: T) => T): void;
};

function kept<T>(name: string, initial: T): Kept<T> {
  const key = `crew.${name}`;
  const read = (): T => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') ?? initial;
    } catch {
      return initial;
    }
  };
  const value = signal<T>(read());
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) value.value = read();
  });
  return Object.assign(value, {
    change(by: (value: T) => T) {
      value.value = by(read());
      localStorage.setItem(key, JSON.stringify(value.value));
    },
  });
}

export const keptDay = kept<KeptDay | null>('day', null);
/** The service's time at this time of the telephone. */
export const serviceTime = (at: number): number => at + (keptDay.value?.ahead ?? 0);
export const queue = kept<readonly QueuedStep[]>('queue', []);
export const refusedSteps = kept<readonly RefusedStep[]>('refused', []);
