import { call } from '../api.ts';
import { OutcomeDialog } from '../board/outcome.tsx';
import { addDays, instantOf } from '../format.ts';
import { t } from '../language.ts';
import { useTeamOptions } from '../options.ts';
import { Loaded } from '../parts/failed.tsx';
import { SelectFilter, TimeFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { useAll, useQuery } from '../query.ts';
import { dateOfAddress, href, place, timeOfAddress } from '../router.ts';
import { isOpen } from './away-moves.ts';
import { ReassignPlan } from './reassign-plan.tsx';

/** Reassigns the appointments of a team that is away. */
export default function Away() {
  const { query } = place.value;
  const date = dateOfAddress('date');
  const teamId = query.get('teamId');
  const from = timeOfAddress('from') ?? (date === null ? '' : `${date}T00:00`);
  const to = timeOfAddress('to') ?? (date === null ? '' : `${addDays(date, 1)}T00:00`);
  const teams = useTeamOptions();
  const isWhole = teamId !== null && teamId !== '' && from !== '' && to !== '';
  return (
    <Page title={t('nav.away')} about={t('away.about')}>
      <search class="filters" aria-label={t('filter.title')}>
        <SelectFilter name="teamId" label={t('field.team')} options={teams} />
        <TimeFilter name="from" label={t('away.from')} value={from} />
        <TimeFilter name="to" label={t('away.until')} value={to} />
      </search>
      {isWhole ? (
        <Period key={`${teamId} ${from} ${to}`} teamId={teamId} from={instantOf(from)} to={instantOf(to)} />
      ) : (
        <p class="empty">{t('away.choose')}</p>
      )}
      <p>
        <a href={href('/outside')}>{t('outside.link')}</a>
      </p>
    </Page>
  );
}

type PeriodProps = { teamId: string; from: string; to: string };

function Period({ teamId, from, to }: PeriodProps) {
  const plan = useQuery('reassignAppointments', { id: teamId, body: { from, to } }, [
    'appointments',
    'availability',
  ]);
  const known = useAll('listTimeOff', { id: teamId, query: {} }, ['availability']);
  const isOff = known.answer?.some(
    ({ startsAt, endsAt }) =>
      Date.parse(startsAt) <= Date.parse(from) && Date.parse(endsAt) >= Date.parse(to),
  );
  return (
    <>
      <Loaded query={plan}>
        {({ data }) => (
          <ReassignPlan
            rows={(data.plan ?? []).filter(isOpen)}
            away={{ teamId, from, to, isOff: isOff ?? false }}
            send={(apply) => call('reassignAppointments', { id: teamId, body: { from, to, apply } })}
            none={t('away.none')}
          />
        )}
      </Loaded>
      <OutcomeDialog />
    </>
  );
}
