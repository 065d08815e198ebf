import type { Payment } from '../contract.ts';
import { dateTime, money, number } from '../format.ts';
import { t } from '../language.ts';
import { Badge } from '../parts/badge.tsx';
import { Copied } from '../parts/copy-button.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PaymentActions } from '../parts/payment-actions.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';

type Charge = Payment['payments'][number];

const amountOf = (charge: Charge, amount: number): string =>
  charge.currency === 'SAR' ? money(amount) : `${number(amount)} ${charge.currency}`;

const columns = (): Column<Charge>[] => [
  { name: 'at', label: t('field.when'), cell: ({ at }) => dateTime(at) },
  { name: 'status', label: t('field.status'), cell: ({ status }) => <bdi>{status}</bdi> },
  {
    name: 'amount',
    label: t('field.amount'),
    end: true,
    cell: (charge) => <bdi>{amountOf(charge, charge.amount)}</bdi>,
  },
  {
    name: 'charged',
    label: t('payment.charged'),
    end: true,
    cell: (charge) => <bdi>{amountOf(charge, charge.charged)}</bdi>,
  },
  {
    name: 'refunded',
    label: t('payment.refunded'),
    end: true,
    cell: (charge) => <bdi>{amountOf(charge, charge.refunded + charge.refundedByHand)}</bdi>,
  },
  { name: 'reference', label: t('payment.reference'), cell: ({ reference }) => <code>{reference}</code> },
];

/** A payment link with its payments and its refund. */
export default function PaymentPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getPayment', { id }, ['payments']);
  const payment = query.answer?.data;
  return (
    <Page
      title={
        payment === undefined
          ? t('nav.payments')
          : t('payment.title', { reference: payment.trackingReference })
      }
      about={
        payment && (
          <>
            <Badge kind="link" state={payment.status} />{' '}
            {payment.refund !== null && <Badge kind="refund" state={payment.refund.status} />}
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ data }) => (
          <>
            <PaymentActions payment={data} />
            <Section title={t('booking.facts')}>
              <Facts
                facts={[
                  {
                    label: t('field.tracking'),
                    value: <Linked address={`/bookings/${data.bookingId}`} text={data.trackingReference} />,
                  },
                  { label: t('field.partner'), value: <bdi>{data.partnerName}</bdi> },
                  { label: t('field.amount'), value: <bdi>{money(data.amount)}</bdi> },
                  { label: t('field.created'), value: dateTime(data.createdAt) },
                  data.sentAt !== null && { label: t('payment.sent'), value: dateTime(data.sentAt) },
                  { label: t('payment.expires'), value: dateTime(data.expiresAt) },
                  data.paidAt !== null && {
                    label: t('link.paid'),
                    value: (
                      <>
                        {dateTime(data.paidAt)} <bdi>{money(data.paidAmount ?? data.amount)}</bdi>{' '}
                        {data.late && <span class="badge bad">{t('payment.late')}</span>}
                      </>
                    ),
                  },
                  data.refundedAmount > 0 && {
                    label: t('payment.refunded'),
                    value: <bdi>{money(data.refundedAmount)}</bdi>,
                  },
                  data.paidAt !== null && {
                    label: t('payment.kept'),
                    value: <bdi>{money(data.keptAmount)}</bdi>,
                  },
                  data.failureReason !== null && {
                    label: t('payment.why'),
                    value: <bdi>{data.failureReason}</bdi>,
                  },
                  data.gateway !== null && { label: t('payment.gateway'), value: <bdi>{data.gateway}</bdi> },
                  data.gatewayReference !== null && {
                    label: t('payment.gatewayReference'),
                    value: <code>{data.gatewayReference}</code>,
                  },
                  data.linkUrl !== null && {
                    label: t('payment.link'),
                    value: <Copied text={data.linkUrl} />,
                  },
                  { label: t('payment.tries'), value: number(data.tries) },
                ]}
              />
            </Section>
            <Section title={t('payment.all')}>
              <Table
                label={t('payment.all')}
                columns={columns()}
                rows={data.payments}
                id={({ reference }) => reference}
                empty={t('payment.noneYet')}
              />
            </Section>
            {data.refund !== null && (
              <Section title={t('payment.refundColumn')}>
                <Facts
                  facts={[
                    { label: t('field.status'), value: <Badge kind="refund" state={data.refund.status} /> },
                    { label: t('field.amount'), value: <bdi>{money(data.refund.amount)}</bdi> },
                    data.refund.reference !== null && {
                      label: t('payment.reference'),
                      value: <code>{data.refund.reference}</code>,
                    },
                    data.refund.error !== null && {
                      label: t('payment.why'),
                      value: <bdi>{data.refund.error}</bdi>,
                    },
                    data.refund.refundedAt !== null && {
                      label: t('field.when'),
                      value: dateTime(data.refund.refundedAt),
                    },
                    data.refund.by !== null && {
                      label: t('audit.actor'),
                      value: <bdi>{data.refund.by}</bdi>,
                    },
                    data.refundDecision !== null && {
                      label: t('payment.decision'),
                      value: (
                        <>
                          <bdi>{data.refundDecision.reason}</bdi>{' '}
                          <span class="faint small">
                            <bdi>{data.refundDecision.by}</bdi> {dateTime(data.refundDecision.at)}
                          </span>
                        </>
                      ),
                    },
                    data.refundDecision !== null && {
                      label: t('payment.kept'),
                      value: <bdi>{money(data.refundDecision.keptAmount)}</bdi>,
                    },
                  ]}
                />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
