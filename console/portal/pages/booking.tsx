import { dateTime, dayOf, fromTo, money } from '../../format.ts';
import { language, t } from '../../language.ts';
import { Badge, eventName, stateName } from '../../parts/badge.tsx';
import { Copied, CopyButton } from '../../parts/copy-button.tsx';
import type { PageProps } from '../../parts/current-page.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/failed.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { seriesFact } from '../../parts/series-parts.tsx';
import { type Moment, Timeline } from '../../parts/timeline.tsx';
import { href } from '../../router.ts';
import type { Booking, FeedEvent, PortalBooking } from '../contract.ts';
import { deliveryColumns } from '../delivery-columns.tsx';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';
import { BookingSimulator } from '../simulator.tsx';
import { may } from '../visitor.ts';

/** One booking, its events and their deliveries. */
export default function BookingPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getBooking', { bookingId: id }, ['bookings']);
  const booking = query.answer?.data.booking;
  return (
    <Page
      title={
        booking === undefined
          ? p('nav.bookings')
          : t('booking.title', { reference: booking.trackingReference })
      }
      about={booking && <Badge kind="booking" state={booking.status} />}
    >
      <Loaded query={query}>
        {({ data }) => (
          <>
            <BookingFacts {...data} />
            <BookingSimulator bookingId={data.booking.bookingId} />
            <Section title={t('hooks.events')}>
              {data.events.length === 0 ? (
                <p class="empty">{p('booking.noEvents')}</p>
              ) : (
                <Timeline moments={data.events.toReversed().map(momentOf)} />
              )}
            </Section>
            {may('listDeliveries') && <Deliveries bookingId={data.booking.bookingId} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function BookingFacts({
  booking,
  paymentLink,
  policy,
}: Pick<PortalBooking, 'booking' | 'paymentLink' | 'policy'>) {
  const { bookingId, contactId, externalReference, date, timeslot, paymentStatus, appointment } = booking;
  const { serviceNameEn, serviceNameAr, price } = booking;
  return (
    <Section title={t('booking.facts')}>
      <Facts
        facts={[
          {
            label: t('field.when'),
            value: (
              <>
                {dayOf(date)} {fromTo(timeslot.startAt, timeslot.endAt)}
              </>
            ),
          },
          {
            label: t('field.service'),
            value: (
              <>
                <bdi>{language.value === 'ar' ? serviceNameAr : serviceNameEn}</bdi>
                <br />
                {money(price)}
              </>
            ),
          },
          seriesFact(booking),
          may('getContact') && {
            label: t('field.customer'),
            value: <a href={href(`/customers/${contactId}`)}>{p('customers.stored')}</a>,
          },
          { label: t('field.payment'), value: <Badge kind="paymentStatus" state={paymentStatus} /> },
          paymentLink !== null && {
            label: p('booking.paymentLink'),
            value: (
              <>
                <a href={paymentLink} target="_blank" rel="noreferrer">
                  <bdi>{p('booking.pay')}</bdi>
                </a>{' '}
                <CopyButton text={paymentLink} />
              </>
            ),
          },
          {
            label: t('field.appointment'),
            value:
              appointment === null ? (
                p('booking.none')
              ) : (
                <Badge kind="appointment" state={appointment.status} />
              ),
          },
          policy !== null && {
            label: p('booking.policy'),
            value: language.value === 'ar' ? policy.textAr : policy.textEn,
          },
          ...endingOf(booking),
          externalReference !== null && {
            label: p('bookings.reference'),
            value: <bdi>{externalReference}</bdi>,
          },
          {
            label: t('field.bookingId'),
            value: <Copied text={bookingId} />,
          },
        ]}
      />
    </Section>
  );
}

/** The end of the booking and its reason. */
function endingOf({
  cancellation,
  failureReason,
  refund,
  fees = [],
  outcome = null,
}: Booking): (Fact | false)[] {
  return [
    fees.length > 0 && {
      label: t('fee.label'),
      value: fees.map(({ action, amount, at }) => (
        <div key={at}>{t(`fee.${action}`, { amount: money(amount) })}</div>
      )),
    },
    outcome !== null && { label: t('decide.outcome'), value: t(`outcome.${outcome}`) },
    cancellation !== null && {
      label: t('booking.cancellation'),
      value: (
        <>
          {p(`booking.canceledBy.${cancellation.by}`)} {cancellation.onBehalfOf != null && t('fee.hers')}
          {cancellation.feeToDecide && t('money.undecided')}
          <br />
          {dateTime(cancellation.at)}
          {cancellation.notes !== null && (
            <>
              <br />
              <bdi>{cancellation.notes}</bdi>
            </>
          )}
        </>
      ),
    },
    failureReason !== null && { label: p('delivery.why'), value: <bdi>{failureReason}</bdi> },
    refund !== null && {
      label: p('booking.refund'),
      value: (
        <>
          {money(refund.amount)} <Badge kind="refund" state={refund.status} />
        </>
      ),
    },
  ];
}

type Change = { appointmentStatusChange?: { from: string; to: string } };

function momentOf({ id, event, createdAt, payload }: FeedEvent): Moment {
  const { appointmentStatusChange: change } = payload as Change;
  return {
    key: id,
    at: createdAt,
    ...(event === 'booking.payment_failed' && { tone: 'bad' as const }),
    title: (
      <>
        <strong>{eventName(event)}</strong>{' '}
        {change !== undefined &&
          p('booking.moved', {
            from: stateName('appointment', change.from),
            to: stateName('appointment', change.to),
          })}{' '}
        <code class="faint">{event}</code>
      </>
    ),
    body: (
      <details>
        <summary>{t('delivery.payload')}</summary>
        <pre>{JSON.stringify(payload, null, 2)}</pre>
      </details>
    ),
  };
}

function Deliveries({ bookingId }: { bookingId: string }) {
  const query = useQuery('listDeliveries', { query: { bookingId, limit: 100 } }, ['deliveries']);
  return (
    <Section title={p('booking.deliveries')}>
      <PagedTable
        query={query}
        label={p('booking.deliveries')}
        columns={deliveryColumns()}
        id={({ id }) => id}
        empty={p('booking.noDeliveries')}
      />
    </Section>
  );
}
