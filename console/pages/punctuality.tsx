import type { Answer } from '../api.ts';
import { addDays, dateIn, number, percent } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { Loaded } from '../parts/failed.tsx';
import { DateFilter, Filters, SelectFilter } from '../parts/filters.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { dateOfAddress, href, place } from '../router.ts';
import { now } from '../session.ts';

type Punctuality = Answer<'getPunctuality'>['data'];
type Row = Punctuality['partners'][number] & { nameAr?: string | null };

const MINUTES = ['5', '10', '30', '60'];
const DEFAULT_MINUTES = '15';

/** Visits that began in time, by team, zone and partner. */
export default function PunctualityPage() {
  const today = dateIn(now.value);
  const [from, to] = [dateOfAddress('from') ?? addDays(today, -6), dateOfAddress('to') ?? today];
  const asked = place.value.query.get('minutes') ?? '';
  const minutes = Number(MINUTES.includes(asked) ? asked : DEFAULT_MINUTES);
  const query = useQuery('getPunctuality', { query: { from, to, minutes } }, ['appointments']);
  return (
    <Page title={t('nav.punctuality')} about={t('punctuality.about')}>
      <Filters>
        <DateFilter name="from" label={t('filter.from')} value={from} />
        <DateFilter name="to" label={t('filter.to')} value={to} />
        <SelectFilter
          name="minutes"
          label={t('punctuality.within')}
          options={MINUTES.map((value) => ({ value, label: number(Number(value)) }))}
        />
      </Filters>
      <Loaded query={query}>
        {({ data }) =>
          data.visits === 0 ? (
            <p class="empty">{t('punctuality.none')}</p>
          ) : (
            <>
              <div class="tiles">
                <Figure label={t('punctuality.share')} value={shareOf(data)} />
                <Figure label={t('punctuality.visits')} value={number(data.visits)} />
                <Figure label={t('punctuality.late')} value={number(data.late)} />
                <Figure label={t('punctuality.notBegun')} value={number(data.notBegun)} />
              </div>
              <Group title={t('punctuality.teams')} rows={data.teams} address="/teams" />
              <Group title={t('punctuality.zones')} rows={data.zones} />
              <Group title={t('punctuality.partners')} rows={data.partners} address="/partners" />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const shareOf = ({ share }: Pick<Row, 'share'>): string => (share === null ? '–' : percent(share));

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <span class="tile">
      <strong>{value}</strong>
      {label}
    </span>
  );
}

/** The least punctual first. */
function Group({ title, rows, address }: { title: string; rows: readonly Row[]; address?: string }) {
  const figure = (name: 'visits' | 'punctual' | 'late' | 'notBegun'): Column<Row> => ({
    name,
    label: t(`punctuality.${name}`),
    end: true,
    cell: (row) => number(row[name]),
  });
  const columns: Column<Row>[] = [
    {
      name: 'name',
      label: title,
      cell: (row) =>
        address === undefined ? (
          <bdi>{nameOf({ nameAr: null, ...row })}</bdi>
        ) : (
          <a href={href(`${address}/${row.id}`)}>
            <bdi>{nameOf({ nameAr: null, ...row })}</bdi>
          </a>
        ),
    },
    {
      name: 'share',
      label: t('punctuality.share'),
      cell: (row) => (
        <>
          {shareOf(row)}
          <span aria-hidden="true">
            <ShareBar share={row.share} label={shareOf(row)} />
          </span>
        </>
      ),
    },
    figure('visits'),
    figure('punctual'),
    figure('late'),
    figure('notBegun'),
  ];
  return (
    <Section title={title}>
      <Table
        label={title}
        columns={columns}
        rows={[...rows].sort((one, other) => (one.share ?? 2) - (other.share ?? 2))}
        id={({ id }) => id}
        empty={t('punctuality.none')}
      />
    </Section>
  );
}
