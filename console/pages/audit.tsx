import { useState } from 'preact/hooks';
import type { AuditEntry } from '../contract.ts';
import { exactTime, instantOf, number } from '../format.ts';
import { t } from '../language.ts';
import { ChangesTable } from '../parts/changes-table.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Filters, given, TextFilter, TimeFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href, place } from '../router.ts';

/** The console's page of each kind of target. */
const PAGES: Record<string, (id: string) => string> = {
  booking: (id) => href(`/bookings/${id}`),
  delivery: (id) => href(`/deliveries/${id}`),
  partner: (id) => href(`/partners/${id}`),
  service: (id) => href(`/catalogue/services/${id}`),
  payment: (id) => href(`/payments/${id}`),
};

function Target({ target }: { target: string }) {
  const [kind = '', id = ''] = target.split(':');
  const address = PAGES[kind]?.(id);
  return address === undefined ? (
    <code>{target}</code>
  ) : (
    <a href={address}>
      <code>{target}</code>
    </a>
  );
}

const columns = (show: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
  {
    name: 'at',
    sorts: 'DESC',
    label: t('field.when'),
    cell: ({ at }) => <time dateTime={at}>{exactTime(at)}</time>,
  },
  {
    name: 'actor',
    label: t('audit.actor'),
    cell: ({ actor }) => (
      <a href={href('/audit', { actor })}>
        <bdi>{actor}</bdi>
      </a>
    ),
  },
  { name: 'action', label: t('audit.action'), cell: ({ action }) => <code>{action}</code> },
  { name: 'target', label: t('audit.target'), cell: ({ target }) => <Target target={target} /> },
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
  const query = useQuery('listAudit', takes, ['audit']);
  return (
    <Page title={t('nav.audit')}>
      <Filters>
        <TextFilter name="search" label={t('filter.search')} hint={t('audit.search')} ltr />
        <TextFilter name="actor" label={t('audit.actor')} hint="operator:…" ltr />
        <TextFilter name="target" label={t('audit.target')} hint="booking:…" ltr />
        <TimeFilter name="from" label={t('filter.from')} />
        <TimeFilter name="to" label={t('filter.to')} />
      </Filters>
      <Loaded query={query}>
        {({ data, meta }) => (
          <>
            <Table
              label={t('nav.audit')}
              columns={columns(setShown)}
              rows={data}
              id={({ id }) => id}
              group={{ of: ({ groupId }) => groupId, head: (entries) => <GroupHead entries={entries} /> }}
              empty={place.value.query.size > 0 ? t('audit.empty') : t('audit.none')}
            />
            <Pager meta={meta}>
              <CsvButton operation="listAudit" takes={takes} />
            </Pager>
          </>
        )}
      </Loaded>
      {shown !== null && (
        <Dialog title={shown.action} wide onClose={() => setShown(null)}>
          <p>
            <Target target={shown.target} />
          </p>
          <ChangesTable before={shown.before} after={shown.after} />
        </Dialog>
      )}
    </Page>
  );
}
