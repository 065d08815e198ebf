import type { Statement, StatementLine } from '../contract.ts';
import { dateIn, dayOf, money, monthOf } from '../format.ts';
import { listed, t } from '../language.ts';
import { href } from '../router.ts';
import { now } from '../session.ts';
import { moneyColumn } from './columns.tsx';
import { Facts } from './facts.tsx';
import type { Option } from './filters.tsx';
import { Section } from './page.tsx';
import { PartyText } from './party.tsx';
import { type Column, Table } from './table.tsx';

/** Parts of the pages of statements, in the console and the portal. */

export const STATEMENT_FILES = ['lines.csv', 'invoices.json', 'print.html'] as const;

type Own = Pick<Statement, 'id' | 'number' | 'month' | 'totals' | 'issuedAt' | 'seller' | 'buyer' | 'paid'>;

/** The current month and earlier ones, the newest first. */
export function monthOptions(): Option[] {
  const [year, month] = dateIn(now.value).split('-').map(Number) as [number, number];
  return Array.from({ length: 36 }, (_none, back) => {
    const value = new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7);
    return { value, label: monthOf(value) };
  });
}

export function StatementBadge({ issuedAt, paid }: Pick<Own, 'issuedAt' | 'paid'>) {
  if (issuedAt === null) return <span class="badge">{t('statements.DRAFT')}</span>;
  if (paid === null) return <span class="badge notice">{t('statements.unpaid')}</span>;
  return <span class="badge good">{t('statements.paid')}</span>;
}

type Sums = { net: number; vat: number; gross: number };
export const sumColumns = <Row extends Sums>(): Column<Row>[] =>
  (['net', 'vat', 'gross'] as const).map((name) => moneyColumn(name, t(`statements.${name}`)));

/** The columns of a list; `more` follow the month. */
export const statementColumns = <Row extends Own>(...more: Column<Row>[]): Column<Row>[] => [
  {
    name: 'month',
    label: t('statements.month'),
    cell: ({ id, month }) => <a href={href(`/statements/${id}`)}>{monthOf(month)}</a>,
  },
  ...more,
  { name: 'number', label: t('statements.number'), cell: ({ number }) => <bdi>{number ?? '–'}</bdi> },
  {
    name: 'due',
    label: t('statements.due'),
    end: true,
    cell: ({ totals }) => <bdi>{money(totals.gross)}</bdi>,
  },
  { name: 'status', label: t('field.status'), cell: (row) => <StatementBadge {...row} /> },
];

export const kindColumn = <Row extends StatementLine>(): Column<Row> => ({
  name: 'kind',
  label: t('statements.kind'),
  cell: ({ kind, corrects }) => (
    <>
      {t(`statements.${kind}`)}{' '}
      {corrects !== null && <span class="small faint">{t('statements.corrects', { number: corrects })}</span>}
    </>
  ),
});

/** What is due by category and rate, the money of customers, and who issued it for whom. */
export function StatementTotals({
  statement: { totals, issuedAt, seller, buyer, paid },
}: {
  statement: Own;
}) {
  const { collected, givenBack, kept } = totals;
  const rows = [
    ...totals.taxes.map((sum) => ({
      ...sum,
      name: listed(t(`vat.${sum.category}`), `${sum.percent}%`),
    })),
    { ...totals, name: t('statements.due') },
  ];
  return (
    <Section title={t('statements.totals')}>
      <Table
        label={t('statements.totals')}
        columns={[
          { name: 'name', label: t('statements.tax'), cell: ({ name }) => name },
          ...sumColumns<(typeof rows)[number]>(),
        ]}
        rows={rows}
        id={({ name }) => name}
        empty=""
      />
      <Facts
        facts={[
          (collected !== 0 || givenBack !== 0) && {
            label: t('statements.customers'),
            value: t('statements.customersText', {
              collected: money(collected),
              givenBack: money(-givenBack),
              kept: money(kept),
            }),
          },
          issuedAt !== null && { label: t('statements.ISSUED'), value: dayOf(issuedAt) },
          paid && { label: t('statements.paid'), value: listed(dayOf(paid.paidOn), paid.reference) },
          seller && { label: t('statements.seller'), value: <PartyText party={seller} /> },
          buyer && { label: t('statements.buyer'), value: <PartyText party={buyer} /> },
        ]}
      />
    </Section>
  );
}
