import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { OutcomeDialog } from '../board/outcome.tsx';
import { t } from '../language.ts';
import { useTeamOptions, useZoneOptions } from '../options.ts';
import { Loaded } from '../parts/failed.tsx';
import { DateFilter, Filters, given, SelectFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { useQuery } from '../query.ts';
import { href, place } from '../router.ts';
import { isOpen } from './away-moves.ts';
import { ReassignPlan } from './reassign-plan.tsx';

/** The size of a plan; the rest follows when these are moved. */
const AT_ONCE = 100;
const MAX_DAYS = 400;

/** Reassigns visits of any teams that lie outside of their teams' hours, after a season was entered for instance. */
export default function Outside() {
  const { query } = place.value;
  const filter = (name: string): string | undefined => query.get(name) || undefined;
  const visits = useQuery(
    'listAppointments',
    {
      query: {
        attention: 'team-away',
        awayWithinDays: MAX_DAYS,
        fromDate: filter('fromDate'),
        toDate: filter('toDate'),
        zoneId: filter('zoneId'),
        teamId: filter('teamId'),
        limit: AT_ONCE,
      },
    },
    ['appointments', 'availability'],
  );
  return (
    <Page
      title={t('nav.outside')}
      about={t('outside.about')}
      actions={
        <a
          class="button"
          href={href('/calls', {
            attention: 'team-away',
            awayWithinDays: String(MAX_DAYS),
            ...given('fromDate', 'toDate', 'zoneId', 'teamId'),
          })}
        >
          {t('calls.title')}
        </a>
      }
    >
      <Filters>
        <DateFilter name="fromDate" label={t('filter.from')} />
        <DateFilter name="toDate" label={t('filter.to')} />
        <SelectFilter name="zoneId" label={t('field.zone')} options={useZoneOptions()} />
        <SelectFilter name="teamId" label={t('field.team')} options={useTeamOptions()} />
      </Filters>
      <Loaded query={visits}>
        {({ data, meta }) => (
          <>
            {meta.total > AT_ONCE && (
              <p class="faint">{t('outside.first', { count: AT_ONCE, total: meta.total })}</p>
            )}
            {visits.isCurrent && <Plan key={query.toString()} ids={data.map(({ id }) => id)} />}
          </>
        )}
      </Loaded>
      <OutcomeDialog />
    </Page>
  );
}

/** The plan of the visits that were listed first; those that have left the list meanwhile are left out. */
function Plan({ ids }: { ids: readonly string[] }) {
  const [appointmentIds] = useState([...ids]);
  const plan = useQuery('reassignChosen', appointmentIds.length === 0 ? null : { body: { appointmentIds } }, [
    'appointments',
    'availability',
  ]);
  if (appointmentIds.length === 0) return <p class="empty">{t('outside.none')}</p>;
  return (
    <Loaded query={plan}>
      {({ data }) => (
        <ReassignPlan
          rows={(data.plan ?? []).filter((row) => isOpen(row) && ids.includes(row.appointment.id))}
          away={null}
          send={(apply) => call('reassignChosen', { body: { appointmentIds, apply } })}
          none={t('outside.none')}
        />
      )}
    </Loaded>
  );
}
