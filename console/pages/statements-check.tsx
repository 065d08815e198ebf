import type { StatementCheck } from '../contract.ts';
import { t } from '../language.ts';
import { bookingColumn, moneyColumn, numberColumn, partnerColumn } from '../parts/columns.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { StatementTabs } from './statements.tsx';

/** Whether issued statements and bookings add up. */
export default function StatementsCheck() {
  const query = useQuery('checkStatements', {});
  return (
    <Page title={t('statements.check')} about={t('statements.checkAbout')}>
      <StatementTabs />
      <Loaded query={query}>{({ data }) => <Checked check={data} />}</Loaded>
    </Page>
  );
}

function Checked({ check: { partners, gaps, isSound } }: { check: StatementCheck }) {
  const differences = partners.flatMap(({ partnerName, differences }) =>
    differences.map((one) => ({ ...one, partnerName })),
  );
  const why = (reason: 'next' | 'restored' | null) =>
    reason ? t(`statements.${reason}`) : <span class="badge bad">{t('statements.wrong')}</span>;
  const [owed, reason] = [t('statements.owed'), t('field.reason')];
  return (
    <>
      <p>
        <span class={`badge ${isSound ? 'good' : 'bad'}`}>
          {t(isSound ? 'statements.sound' : 'statements.unsound')}
        </span>
      </p>
      <Table
        label={t('statements.totals')}
        rows={partners}
        id={({ partnerId }) => partnerId}
        empty={t('statements.none')}
        columns={[
          partnerColumn(),
          moneyColumn('statements', t('nav.statements')),
          moneyColumn('owed', owed),
          moneyColumn('later', t('statements.later')),
          numberColumn('differing', t('statements.differences')),
        ]}
      />
      <Section title={t('statements.differences')}>
        <Table
          label={t('statements.differences')}
          rows={differences}
          id={({ bookingId }) => bookingId}
          empty={t('field.none')}
          columns={[
            bookingColumn(),
            partnerColumn(),
            moneyColumn('told', t('nav.statements')),
            moneyColumn('owed', owed),
            { name: 'isNext', label: reason, cell: ({ isNext }) => why(isNext ? 'next' : null) },
          ]}
        />
      </Section>
      <Section title={t('statements.gaps')}>
        <Table
          label={t('statements.gaps')}
          rows={gaps}
          id={({ from }) => from}
          empty={t('field.none')}
          columns={[
            { name: 'from', label: t('filter.from'), cell: ({ from }) => <bdi>{from}</bdi> },
            { name: 'to', label: t('filter.to'), cell: ({ to }) => <bdi>{to}</bdi> },
            { name: 'restored', label: reason, cell: ({ restored }) => why(restored ? 'restored' : null) },
          ]}
        />
      </Section>
    </>
  );
}
