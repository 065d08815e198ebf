import type { AlternativeSlot } from '../contract.ts';
import { dateIn, dateTime, dayOf, fromTo, timeOfDay } from '../format.ts';
import { listed, type Named, nameById, nameOf, t } from '../language.ts';
import { useTeamOptions } from '../options.ts';
import { Badge } from '../parts/badge.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed } from '../parts/failed.tsx';
import { ask } from '../parts/questions.tsx';
import { useQuery } from '../query.ts';
import { clockTime, instant } from './day.ts';
import { type Goal, type How, moveTo, type Outcome, outcome, withResponse } from './moves.ts';
import { heldText, ranked, reasonText, startOf } from './placements.ts';

/** A failed move: why, and the alternatives. */

const MAX_ALTERNATIVES = 5;
const NONE = { teams: [] };

type NamedTeam = Named & { id: string };

/** `teams`: those of the page, if it has them. */
export function OutcomeDialog({ teams }: { teams?: readonly NamedTeam[] }) {
  const what = outcome.value;
  if (what === null) return null;
  return teams === undefined ? <WithTeams what={what} /> : <Shown what={what} teams={teams} />;
}

function WithTeams({ what }: { what: Outcome }) {
  const teams = useTeamOptions().map(({ value, label }) => ({ id: value, name: label, nameAr: null }));
  return <Shown what={what} teams={teams} />;
}

function Shown({ what, teams }: { what: Outcome; teams: readonly NamedTeam[] }) {
  return what.is === 'stale' ? <Stale what={what} teams={teams} /> : <Refused what={what} teams={teams} />;
}

const close = (): void => {
  outcome.value = null;
};

function Refused({
  what: { visit, to, how, failure },
  teams,
}: {
  what: Extract<Outcome, { is: 'refused' }>;
  teams: readonly NamedTeam[];
}) {
  const { reason, alternatives = [], holds = [] } = failure.details;
  const { reason: _forced, displaceHolds: _named, ...free } = how;
  const isRule = failure.code === 'BOOKING_CREATION_FAILED' && reason !== undefined;
  const date = dateIn(to.start);
  const found = useQuery('listPlacements', isRule ? { id: visit.id, query: { date } } : null);
  const others = ranked(found.answer?.data ?? NONE)
    .filter(
      ({ id, best }) => id !== visit.teamId || startOf({ date }, best!.startAt) !== instant(visit.startsAt),
    )
    .slice(0, MAX_ALTERNATIVES)
    .map((team) => ({ team, start: startOf({ date }, team.best!.startAt) }));
  // The list has no place twice: the service names its free times too.
  const more = alternatives
    .map((slot) => ({ slot, start: startOf(slot, slot.startAt) }))
    .filter(({ start }) => !others.some((one) => one.team.id === to.teamId && one.start === start))
    .slice(0, MAX_ALTERNATIVES);
  async function force(): Promise<void> {
    const given = await ask({
      title: t('board.forceTitle'),
      text: t('board.forceText', { reason: reasonText(reason ?? '') }),
      reason: t('field.reason'),
      confirm: t('board.force'),
      danger: true,
    });
    if (given) await moveTo(visit, to, { ...how, reason: given });
  }
  return (
    <Dialog title={t('board.refused', { name: visit.name })} onClose={close}>
      {isRule ? (
        <p>
          {t('board.refusedWhy', {
            team: nameById(teams, to.teamId),
            time: clockTime(to.start),
            reason: reasonText(reason),
          })}
        </p>
      ) : (
        <Failed
          failure={failure}
          title={t('couldNot.move')}
          {...(failure.status === 0 && { retry: () => void moveTo(visit, to, how) })}
        />
      )}
      {holds.length > 0 && (
        <>
          <ul>
            {holds.map((hold) => (
              <li key={hold.holdId}>
                <bdi>{fromTo(timeOfDay(hold.startsAt), timeOfDay(hold.endsAt))}</bdi>: {heldText([hold])}
              </li>
            ))}
          </ul>
          <p>{t('board.displaceAbout')}</p>
        </>
      )}
      {isRule && (others.length > 0 || more.length > 0) && (
        <div>
          <h3>{t('error.alternatives')}</h3>
          <div class="actions">
            {others.map(({ team, start }, index) => (
              <Choice
                key={team.id}
                label={`${index === 0 ? '★ ' : ''}${listed(nameOf(team), team.best!.startAt)}`}
                choose={{ teamId: team.id, start }}
                how={free}
                visit={visit}
              />
            ))}
            {more.map(({ slot, start }) => (
              <Choice
                key={`${slot.date} ${slot.startAt}`}
                label={slotText(nameById(teams, to.teamId), slot)}
                choose={{ teamId: to.teamId, start }}
                how={free}
                visit={visit}
              />
            ))}
          </div>
        </div>
      )}
      <div class="buttons">
        <button type="button" onClick={close}>
          {t('board.leave')}
        </button>
        {holds.length > 0 && (
          <button
            type="button"
            class="danger"
            onClick={() =>
              void moveTo(visit, to, { ...how, displaceHolds: holds.map(({ holdId }) => holdId) })
            }
          >
            {t('board.displace')}
          </button>
        )}
        {isRule && reason !== 'BUSY' && reason !== 'HELD' && (
          <button type="button" class="danger" onClick={() => void force()}>
            {t('board.force')}
          </button>
        )}
      </div>
    </Dialog>
  );
}

const slotText = (team: string, { date, startAt }: AlternativeSlot): string =>
  listed(team, `${dayOf(date)} ${startAt}`);

function Choice({
  label,
  choose,
  how,
  visit,
}: {
  label: string;
  choose: Goal;
  how: How;
  visit: Parameters<typeof moveTo>[0];
}) {
  return (
    <button type="button" onClick={() => void moveTo(visit, choose, how)}>
      <bdi>{label}</bdi>
    </button>
  );
}

/** A version conflict: shows the current appointment, and can repeat the move. */
function Stale({
  what: { visit, to, how, current },
  teams,
}: {
  what: Extract<Outcome, { is: 'stale' }>;
  teams: readonly NamedTeam[];
}) {
  const isOpen = current.status !== 'Cancelled';
  return (
    <Dialog title={t('board.staleTitle', { name: visit.name })} onClose={close}>
      <p>{t('board.stale')}</p>
      <h3>{t('board.theirs')}</h3>
      <Facts
        facts={[
          { label: t('field.team'), value: <bdi>{nameOf(current.team)}</bdi> },
          { label: t('field.when'), value: dateTime(current.startsAt) },
          { label: t('field.status'), value: <Badge kind="appointment" state={current.status} /> },
        ]}
      />
      <h3>{t('board.yours')}</h3>
      <Facts
        facts={[
          { label: t('field.team'), value: <bdi>{nameById(teams, to.teamId)}</bdi> },
          { label: t('field.when'), value: dateTime(to.start) },
        ]}
      />
      <div class="buttons">
        <button type="button" class="primary" onClick={close}>
          {t('board.keepTheirs')}
        </button>
        {isOpen && (
          <button type="button" onClick={() => void moveTo(withResponse(visit, current), to, how)}>
            {t('board.moveAnyway')}
          </button>
        )}
      </div>
    </Dialog>
  );
}
