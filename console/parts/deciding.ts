import { signal } from '@preact/signals';
import { type BookingDetail, OUTCOMES } from '../contract.ts';

export type Outcome = NonNullable<BookingDetail['outcome']>;

/** What is known of the outcome by the reason of the step; null: nothing. */
export const outcomeOf = (reason: string): Outcome | null =>
  OUTCOMES.find((known) => known === reason) ?? null;

/** The booking whose visit could not be done, and of which one decides now; null: none. */
export const deciding = signal<{ bookingId: string; name: string; outcome: Outcome | null } | null>(null);
