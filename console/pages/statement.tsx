import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { Statement, StatementLine } from '../contract.ts';
import { dateIn, dayOf, monthOf } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { bookingColumn } from '../parts/columns.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { TextField, useForm } from '../parts/fields.tsx';
import { given } from '../parts/filters.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { ask } from '../parts/questions.tsx';
import {
  kindColumn,
  STATEMENT_FILES,
  StatementBadge,
  StatementTotals,
  sumColumns,
} from '../parts/statement-parts.tsx';
import type { Column } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { may, now } from '../session.ts';

const CHANGED = ['payments'] as const;

const columns = (): Column<StatementLine>[] => [
  { name: 'line', label: '#', end: true, cell: ({ line }) => line },
  { name: 'date', label: t('field.when'), cell: ({ serviceDate }) => dayOf(serviceDate) },
  bookingColumn(),
  {
    name: 'service',
    label: t('field.service'),
    cell: ({ serviceNameEn: nameEn, serviceNameAr: nameAr }) => <bdi>{nameOf({ nameEn, nameAr })}</bdi>,
  },
  kindColumn(),
  ...sumColumns<StatementLine>(),
];

/** A statement or a draft. */
export default function StatementPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getStatement', { id }, CHANGED);
  const lines = useQuery('listStatementLines', { id, query: given('page') as never }, CHANGED);
  const statement = query.answer?.data;
  return (
    <Page
      title={statement?.number ?? t(statement ? 'statements.DRAFT' : 'nav.statements')}
      about={
        statement && (
          <>
            <StatementBadge {...statement} /> {monthOf(statement.month)} ·{' '}
            <Linked address={`/partners/${statement.partnerId}/statements`} text={statement.partnerName} />
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ data }) => (
          <>
            <Actions statement={data} />
            <StatementTotals statement={data} />
          </>
        )}
      </Loaded>
      <Section title={t('statements.lines')}>
        <PagedTable
          query={lines}
          label={t('statements.lines')}
          columns={columns()}
          id={({ line }) => String(line)}
          empty={t('statements.nothing')}
        />
      </Section>
    </Page>
  );
}

function Actions({ statement }: { statement: Statement }) {
  const { id, partnerId, partnerName, month, status, paid, totals } = statement;
  const action = useAction(CHANGED);
  const [isPaying, setPaying] = useState(false);
  const isDraft = status === 'DRAFT';
  const isOver = month < dateIn(now.value).slice(0, 7);
  async function run(work: () => Promise<unknown>, title = '', text = ''): Promise<void> {
    const isSure = title === '' || (await ask({ title, text, confirm: title, danger: true })) !== null;
    if (isSure && (await action.run(work))) toast(t('act.saved'));
  }
  const button = (label: string, act: () => unknown, isShown: boolean, isPrimary = false) =>
    isShown && (
      <button type="button" class={isPrimary ? 'primary' : ''} disabled={action.busy} onClick={() => act()}>
        {label}
      </button>
    );
  const issueText = t('statements.issueText', { partner: partnerName });
  const issue = () => run(() => call('issueStatement', { id }), t('statements.issue'), issueText);
  const again = () => run(() => call('createStatement', { body: { partnerId, month } }));
  const unpay = () =>
    run(() => call('markStatementPaid', { id, body: { reference: null } }), t('statements.unpay'));
  const mayPay = !isDraft && may('markStatementPaid');
  return (
    <>
      {isDraft && !isOver && <p>{t('statements.notOver', { month: monthOf(month) })}</p>}
      <div class="buttons">
        {button(
          t('statements.issue'),
          issue,
          isDraft && isOver && totals.lines > 0 && may('issueStatement'),
          true,
        )}
        {button(t('statements.again'), again, isDraft && may('createStatement'))}
        {button(t('statements.pay'), () => setPaying(true), mayPay && paid === null, true)}
        {button(t('statements.unpay'), unpay, mayPay && paid !== null)}
        {!isDraft &&
          STATEMENT_FILES.map((name) => (
            <a
              key={name}
              class="button"
              href={`/operator/statements/${id}/${name}`}
              target={name === 'print.html' ? '_blank' : undefined}
              rel="noreferrer"
            >
              {t(`statements.${name}`)}
            </a>
          ))}
      </div>
      {action.failure && <Failed failure={action.failure} />}
      {isPaying && <PaidDialog id={id} onClose={() => setPaying(false)} />}
    </>
  );
}

function PaidDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const form = useForm({ reference: '', paidOn: dateIn(now.value) }, CHANGED);
  return (
    <EditDialog
      title={t('statements.pay')}
      form={form}
      onClose={onClose}
      send={(body) => call('markStatementPaid', { id, body })}
    >
      <TextField form={form} name="reference" label={t('payment.reference')} required />
      <TextField form={form} name="paidOn" label={t('statements.paidOn')} type="date" required />
    </EditDialog>
  );
}
