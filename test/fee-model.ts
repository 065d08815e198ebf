import { HOUR, MINUTE } from '../src/base/clock.ts';
import type { Charged, FeeStep } from '../src/policies/rules.ts';
import type { ChangeAction } from '../src/policies/words.ts';

/** The fees of changes by the words of the rules, without a shared function: a model to compare with. Fees are halalas. */

type Seen = Omit<Charged, 'fees'>;

export type Told = {
  /** The start that she chose last, and the earliest that a fee was due for. */
  chosen: number;
  from: number;
  /** What it cost when the operator moved her; null: he did not. */
  frozen: Record<ChangeAction, number> | null;
  hasPaidForMove: boolean;
  paid: number;
};

/** Halalas; null: the operator decides. */
export function modelFee(action: ChangeAction, booking: Seen, told: Told, now: number): number | null {
  const { terms, price, createdAt, startsAt, visit } = booking;
  const halalas = Math.round(Number(price) * 100);
  const part = (percent: number): number => {
    const hundredths = halalas * percent;
    return (hundredths - (hundredths % 100)) / 100 + (hundredths % 100 >= 50 ? 1 : 0);
  };
  let fee = 0;
  if (visit === 'BEGUN' || (visit === 'THERE' && now > startsAt)) fee = part(terms.afterStartPercent);
  else if (visit === 'NOT_DONE' || now > startsAt) return action === 'cancel' ? null : 0;
  else if (told.frozen !== null) fee = told.frozen[action];
  else if (terms.graceMinutes === 0 || now - createdAt > terms.graceMinutes * MINUTE) {
    const left = (told.from - now) / HOUR;
    let nearest: FeeStep | undefined;
    for (const step of terms[action])
      if (left < step.hoursBefore && !(nearest && nearest.hoursBefore < step.hoursBefore)) nearest = step;
    if (nearest) fee = 'percent' in nearest ? part(nearest.percent) : Math.round(nearest.amount * 100);
  }
  return fee > halalas - told.paid ? halalas - told.paid : fee;
}

/** What is told of after her own move, or the operator's. */
export function modelMove(
  booking: Seen,
  told: Told,
  now: number,
  { startsAt, isOwn }: { startsAt: number; isOwn: boolean },
): Told {
  const { terms, createdAt } = booking;
  if (isOwn) {
    const fee = modelFee('reschedule', booking, told, now)!;
    const isGrace = terms.graceMinutes > 0 && now - createdAt <= terms.graceMinutes * MINUTE;
    const isDue = [...terms.cancel, ...terms.reschedule].some(
      ({ hoursBefore }) => (told.from - now) / HOUR < hoursBefore,
    );
    const counts = isDue && !isGrace && told.frozen === null;
    return {
      chosen: startsAt,
      from: counts ? Math.min(told.from, startsAt) : startsAt,
      frozen: null,
      hasPaidForMove: fee > 0,
      paid: told.paid + fee,
    };
  }
  const isSmall =
    Math.abs(startsAt - told.chosen) < 30 * MINUTE && Math.abs(startsAt - booking.startsAt) < 30 * MINUTE;
  if (isSmall || told.frozen !== null) return told;
  const due = (action: ChangeAction): number =>
    told.hasPaidForMove || booking.visit === 'NOT_DONE' || now > booking.startsAt
      ? 0
      : (modelFee(action, booking, told, now) ?? 0);
  return { ...told, frozen: { cancel: due('cancel'), reschedule: due('reschedule') } };
}

/** As a booking is told of that was just made. */
export const untouched = (startsAt: number): Told => ({
  chosen: startsAt,
  from: startsAt,
  frozen: null,
  hasPaidForMove: false,
  paid: 0,
});
