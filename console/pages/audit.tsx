import { useState } from 'preact/hooks';
import { type Names, Sentence } from '../audit/sentence.tsx';
import type { AuditEntry } from '../contract.ts';
import { exactTime, instantOf, number } from '../format.ts';
import { t } from '../language.ts';
import { usePartnerOptions, useTeamOptions } from '../options.ts';
import { ChangesTable } from '../parts/changes-table.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Filters, given, type Option, TextFilter, TimeFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href, place } from '../router.ts';

const columns = (names: Names, show: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
  {
    name: 'at',
    sorts: 'DESC',
    label: t('field.when'),
    cell: ({ at }) => <time dateTime={at}>{exactTime(at)}</time>,
  },
  { name: 'what', label: t('audit.what'), cell: (entry) => <Sentence entry={entry} names={names} /> },
  {
    name: 'change',
    label: t('audit.change'),
    cell: (entry) => (
      <button type="button" class="small" onClick={() => show(entry)}>
        {t('booking.changes')}
      </button>
    ),
  },
];

/** Names by id, for sentences. */
function useNames(): Names {
  const byId = (options: readonly Option[]) => new Map(options.map(({ value, label }) => [value, label]));
  return {
    teams: byId(useTeamOptions()),
    partners: byId(usePartnerOptions()),
  };
}

/** Heads the entries of one request; more of them may be on another page. */
function GroupHead({ entries }: { entries: readonly AuditEntry[] }) {
  const { groupId } = entries[0]!;
  return (
    <>
      {t('audit.group', { count: number(entries.length) })}{' '}
      {place.value.query.get('groupId') !== groupId && (
        <a href={href('/audit', { groupId })}>{t('audit.groupOnly')}</a>
      )}
    </>
  );
}

/** The audit log. */
export default function Audit() {
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const {
    from = '',
    to = '',
    ...filters
  } = given('search', 'actor', 'action', 'target', 'groupId', 'from', 'to', 'sortBy', 'sortOrder', 'page');
  const takes = {
    query: {
      ...filters,
      ...(from && { from: instantOf(from) }),
      ...(to && { to: instantOf(to) }),
    } as never,
  };
  const names = useNames();
  const query = useQuery('listAudit', takes, ['audit']);
  return (
    <Page title={t('nav.audit')}>
      <Filters>
        <TextFilter name="search" label={t('filter.search')} hint={t('audit.search')} wide />
        <TextFilter name="actor" label={t('audit.actor')} hint={t('tokens.name')} />
        <TextFilter name="target" label={t('audit.target')} hint={t('audit.about')} />
        <TimeFilter name="from" label={t('filter.from')} />
        <TimeFilter name="to" label={t('filter.to')} />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.audit')}
        columns={columns(names, setShown)}
        id={({ id }) => id}
        group={{ of: ({ groupId }) => groupId, head: (entries) => <GroupHead entries={entries} /> }}
        empty={place.value.query.size > 0 ? t('audit.empty') : t('audit.none')}
      >
        <CsvButton operation="listAudit" takes={takes} />
      </PagedTable>
      {shown !== null && (
        <Dialog title={shown.action} wide onClose={() => setShown(null)}>
          <p>
            <Sentence entry={shown} names={names} />
          </p>
          <p class="faint">
            <code>{shown.target}</code>
          </p>
          <ChangesTable before={shown.before} after={shown.after} />
        </Dialog>
      )}
    </Page>
  );
}
