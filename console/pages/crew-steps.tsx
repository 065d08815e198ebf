import { call } from '../api.ts';
import { delayText } from '../board/late-badge.tsx';
import type { CrewStep } from '../contract.ts';
import { dateTime } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { useTeamOptions } from '../options.ts';
import { Badge, stateName } from '../parts/badge.tsx';
import { bookingColumn } from '../parts/columns.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Failed } from '../parts/failed.tsx';
import { Filters, given, SelectFilter } from '../parts/filters.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { statusReasonText } from '../parts/step-dialogs.tsx';
import type { Column } from '../parts/table.tsx';
import { useAction, useQuery } from '../query.ts';
import { may } from '../session.ts';

const columns = (): Column<CrewStep>[] => [
  { name: 'receivedAt', label: t('steps.received'), cell: ({ receivedAt }) => dateTime(receivedAt) },
  {
    name: 'happenedAt',
    label: t('steps.happened'),
    cell: ({ happenedAt, isTimeUncertain }) =>
      `${dateTime(happenedAt)} ${isTimeUncertain ? t('steps.uncertain') : ''}`,
  },
  {
    name: 'team',
    label: t('field.team'),
    cell: ({ team }) => <Linked address={`/teams/${team.id}`} text={nameOf(team)} />,
  },
  { ...bookingColumn(), label: t('nav.visits') },
  {
    name: 'step',
    label: t('steps.step'),
    cell: ({ to, reason, notes, lateMinutes }) => (
      <>
        {to === 'Late' ? delayText(lateMinutes ?? 0) : stateName('appointment', to)}
        {reason !== null && ` · ${statusReasonText(reason)}`}
        {notes !== null && (
          <>
            {' · '}
            <bdi>{notes}</bdi>
          </>
        )}
      </>
    ),
  },
  {
    name: 'outcome',
    label: t('steps.outcome'),
    cell: ({ refusal }) =>
      refusal === null ? t('steps.DONE') : `${t('steps.REFUSED')}: ${statusReasonText(refusal)}`,
  },
  {
    name: 'now',
    label: t('steps.now'),
    cell: ({ appointmentStatus }) => <Badge kind="appointment" state={appointmentStatus} />,
  },
  {
    name: 'decision',
    label: t('steps.decision'),
    cell: (step) => {
      if (step.refusal === null || step.to === 'Late') return null;
      return step.decision === null ? <Decide step={step} /> : t(`steps.${step.decision as 'TAKEN'}`);
    },
  },
];

/** Takes a refused step as it was reported, or leaves it. */
function Decide({ step }: { step: CrewStep }) {
  const action = useAction(['appointments']);
  if (!may('decideCrewStep')) return null;
  const decides = (decision: 'TAKE' | 'LEAVE') => () =>
    void action.run(() => call('decideCrewStep', { id: step.team.id, key: step.key, body: { decision } }));
  return (
    <div class="buttons">
      <button type="button" disabled={action.busy} onClick={decides('TAKE')}>
        {t('steps.take')}
      </button>
      <button type="button" disabled={action.busy} onClick={decides('LEAVE')}>
        {t('steps.leave')}
      </button>
      {action.failure && <Failed failure={action.failure} />}
    </div>
  );
}

/** Steps that telephones of crews reported, the refused ones too. */
export default function CrewSteps() {
  const takes = {
    query: given('teamId', 'appointmentId', 'outcome', 'withinHours', 'page') as never,
  };
  const query = useQuery('listCrewSteps', takes, ['appointments']);
  return (
    <Page title={t('nav.crewSteps')} about={t('steps.about')}>
      <Filters>
        <SelectFilter
          name="outcome"
          label={t('steps.outcome')}
          options={[
            { value: 'DONE', label: t('steps.DONE') },
            { value: 'REFUSED', label: t('steps.REFUSED') },
            { value: 'UNDECIDED', label: t('steps.UNDECIDED') },
          ]}
        />
        <SelectFilter name="teamId" label={t('field.team')} options={useTeamOptions()} />
        <SelectFilter
          name="withinHours"
          label={t('steps.received')}
          options={[{ value: '24', label: t('steps.lastDay') }]}
        />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.crewSteps')}
        columns={columns()}
        id={({ key, team }) => `${team.id} ${key}`}
        empty={t('steps.none')}
      >
        <CsvButton operation="listCrewSteps" takes={takes} />
      </PagedTable>
    </Page>
  );
}
