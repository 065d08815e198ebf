import { createHmac } from 'node:crypto';
import { DAY, type Instant } from '../base/clock.ts';
import { type AppointmentStatus, type BookingStatus, CLOSED_BOOKINGS } from '../bookings/rules.ts';

/** Days within which a request is answered (Personal Data Protection Law). */
const DAYS_TO_ANSWER = 30;

/** When a request that was received at the time has to be answered. */
export const dueAt = (receivedAt: Instant): Instant => receivedAt + DAYS_TO_ANSWER * DAY;

/** Remembers a number that was forgotten: the same number has the same hash, and nobody without the key finds it. */
export type PhoneHash = (phone: string) => Buffer;

/** `useKey` comes before the first request. */
export function createPhoneHash(): { hash: PhoneHash; useKey(key: Buffer): void } {
  let known: Buffer | null = null;
  return {
    hash(phone) {
      if (known === null) throw new Error('the key of the hashes of phones is not known yet');
      return createHmac('sha256', known).update('phone:').update(phone).digest();
    },
    useKey(key) {
      known = key;
    },
  };
}

/** Whether something may still happen with the booking, so that its customer is needed: a completed one is settled. */
export const isOpen = (status: BookingStatus, appointment: AppointmentStatus): boolean =>
  !CLOSED_BOOKINGS.includes(status) && appointment !== 'Completed';

/** Whether the text names the person, so that it must not be kept. Names of one letter are in every text. */
export function namesPerson(text: string, { name, phone }: { name: string; phone: string }): boolean {
  const digits = text.replaceAll(/[^\p{Nd}]/gu, '');
  const wanted = text.toLowerCase();
  const known = name.trim().toLowerCase();
  return (known.length > 1 && wanted.includes(known)) || digits.includes(phone.slice('+966'.length));
}
