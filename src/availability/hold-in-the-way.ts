import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { milliseconds } from './queries.ts';

/** A slot that a customer holds, in the way of a visit. */
export type HoldInTheWay = {
  id: string;
  partner_name: string;
  starts_at: Instant;
  ends_at: Instant;
  expires_at: Instant;
};

/** SQL: HoldInTheWay of the rows `h` of holds and `p` of partners. */
export const HOLD_IN_THE_WAY = `json_build_object('id', h.id, 'partner_name', p.name, 'starts_at', ${milliseconds('h.starts_at')},
                'ends_at', ${milliseconds('h.ends_at')}, 'expires_at', ${milliseconds('h.expires_at')})`;

/** As the operator sees it. */
export function holdInTheWayView({ id, partner_name, starts_at, ends_at, expires_at }: HoldInTheWay) {
  return {
    holdId: id,
    partnerName: partner_name,
    startsAt: toRiyadhIso(starts_at),
    endsAt: toRiyadhIso(ends_at),
    expiresAt: toRiyadhIso(expires_at),
  };
}
