import { type SlotProblem, type Team, versatility } from '../availability/rules.ts';
import { candidatesFor, type SlotContext } from '../availability/slots.ts';
import type { Period } from '../availability/sold.ts';
import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { retryOnConflict } from './attempts.ts';
import type { ClaimOutcome } from './claim-queries.ts';

/** The teams that can take a slot, in order of preference, by a version of the plan. */
export type ChosenTeams = { catalogueVersion: number; teamIds: readonly string[]; zoneId: string };

type Wants<Context, Made> = {
  period: Period;
  now: Instant;
  /** Teams that are asked first, if they are free; others come when none is. */
  firstTeams?(context: Context): readonly (string | null | undefined)[];
  /** The team that is asked last. */
  lastTeam?(context: Context): string | null | undefined;
  /** Claims one of the teams and writes what is made, in one transaction. */
  take(context: Context, teams: ChosenTeams): Promise<Made | Exclude<ClaimOutcome, 'CLAIMED'>>;
  /** The refusal of the slot. */
  refusal(context: Context, problem: SlotProblem): Promise<ApiError>;
};

/**
 * Takes a slot for a booking or a hold: loads its context, without the holds of the day, which the claim checks; chooses the teams
 * that work then; takes one of them. Begins again while it loses to a concurrent change. Throws SERVICE_NOT_ALLOWED and the
 * refusal (section 4.5).
 */
export async function claimSlot<Context extends SlotContext, Made>(
  load: () => Promise<Context>,
  { period, now, firstTeams, lastTeam, take, refusal }: Wants<Context, Made>,
): Promise<Made> {
  let last: Context | undefined;
  const made = await retryOnConflict(
    async () => {
      const context = await load();
      last = context;
      const { place, plan } = context;
      if (place === null)
        throw new ApiError('SERVICE_NOT_ALLOWED', 'The service is not available at the address', {
          hints: ['GET /partners/services?addressId= lists what can be booked at the address'],
        });
      const found = candidatesFor(context, period, now);
      if (found.problem !== null) throw await refusal(context, found.problem);
      const teamIds = inOrder(inOrderOfPreference(found.teams), {
        first: firstTeams?.(context) ?? [],
        last: lastTeam?.(context),
      });
      return take(context, { catalogueVersion: plan.version, teamIds, zoneId: place.zoneId });
    },
    (outcome) => outcome === 'STALE',
  );
  if (made === null || made === 'TAKEN' || made === 'STALE') throw await refusal(last!, 'SLOT_UNAVAILABLE');
  return made;
}

type Ends = { first: readonly (string | null | undefined)[]; last: string | null | undefined };

function inOrder(teamIds: readonly string[], { first, last }: Ends): string[] {
  const place = (id: string): number => first.indexOf(id);
  const rank = (id: string): number => (place(id) >= 0 ? place(id) : first.length + Number(id === last));
  return teamIds.toSorted((a, b) => rank(a) - rank(b));
}

/** Least versatile teams first, so that versatile ones stay free; equals at random, so that bookings spread. */
function inOrderOfPreference(teams: readonly Team[]): string[] {
  return teams
    .map((team) => ({ id: team.id, rank: versatility(team) + Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ id }) => id);
}
