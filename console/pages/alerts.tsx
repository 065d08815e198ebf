import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { Alerts as Told } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { useAction, useQuery } from '../query.ts';
import { now } from '../session.ts';

const MINUTE_MS = 60_000;

/** Who is told at night, and a test of it. */
export default function Alerts() {
  const query = useQuery('getAlerts', {});
  const action = useAction([]);
  const [tested, setTested] = useState<Told | null>(null);
  const test = async (): Promise<void> => setTested((await call('testAlerts', {})).data);
  const button = (
    <ActionButton action={action} run={test} kind="primary">
      {t('alerts.test')}
    </ActionButton>
  );
  return (
    <Page title={t('nav.alerts')} about={t('alerts.about')} actions={button}>
      {action.failure && <Failed failure={action.failure} />}
      <Loaded query={query}>{({ data }) => <Channels told={tested ?? data} />}</Loaded>
    </Page>
  );
}

function Channels({ told: { channels, missing, watchedAt } }: { told: Told }) {
  const unwatched =
    watchedAt === null ? t('alerts.never') : t('alerts.unwatched', { time: dateTime(watchedAt) });
  const isWatched = watchedAt !== null && now.value - Date.parse(watchedAt) < MINUTE_MS;
  const none = missing.length > 0 && t('alerts.missing', { names: missing.join(', ') });
  const outcomeOf = (outcome: string | null) =>
    outcome &&
    (outcome === 'taken' ? <span class="badge good">{t('alerts.taken')}</span> : <bdi>{outcome}</bdi>);
  return (
    <>
      <p>{isWatched ? t('alerts.watched') : <strong>{unwatched}</strong>}</p>
      {none && <p>{none}</p>}
      <Table
        label={t('alerts.channels')}
        rows={channels}
        id={({ kind, to }) => `${kind} ${to}`}
        empty={none}
        columns={[
          { name: 'kind', label: t('alerts.kind'), cell: ({ kind }) => t(`alerts.${kind}`) },
          { name: 'to', label: t('alerts.to'), cell: ({ to }) => <bdi dir="ltr">{to}</bdi> },
          { name: 'outcome', label: t('alerts.outcome'), cell: ({ outcome }) => outcomeOf(outcome) },
        ]}
      />
    </>
  );
}
