import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { MovableVisit } from '../board/moves.ts';
import { OutcomeDialog } from '../board/outcome.tsx';
import type { BookingDetail } from '../contract.ts';
import { dateTime, dayOf, fromTo, money } from '../format.ts';
import { customerName, nameOf, t } from '../language.ts';
import { useServiceOptions } from '../options.ts';
import type { Act } from '../parts/act-menu.tsx';
import { addressText } from '../parts/address-text.ts';
import { Badge, VisitBadge } from '../parts/badge.tsx';
import { moneyColumn } from '../parts/columns.tsx';
import { Copied, CopyButton } from '../parts/copy-button.tsx';
import { CorrectDialog, isCorrectable } from '../parts/correct-dialog.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { deciding } from '../parts/deciding.ts';
import { DecisionDialog } from '../parts/decision-dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { MoveDialog } from '../parts/move-dialog.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PaymentActions } from '../parts/payment-actions.tsx';
import { Phone, TeamPhone } from '../parts/phone.tsx';
import { ask } from '../parts/questions.tsx';
import { seriesFact } from '../parts/series-parts.tsx';
import { kindColumn } from '../parts/statement-parts.tsx';
import { StatusSteps, type StepVisit, statusOf } from '../parts/status-steps.tsx';
import { statusReasonText } from '../parts/step-dialogs.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { go, href, place, setQuery } from '../router.ts';
import { may } from '../session.ts';
import { CANCELLABLE, CLOSED, FAILABLE, MOVABLE } from '../states.ts';
import { CancelDialog } from './booking-cancel.tsx';
import { BookingFees } from './booking-fees.tsx';
import { BookingTimeline, useBookingAudit } from './booking-timeline.tsx';

/** A booking: its details, history and actions. */
export default function BookingPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getBooking', { id }, ['bookings', 'appointments', 'payments']);
  const booking = query.answer?.data;
  return (
    <Page
      title={
        booking === undefined
          ? t('nav.bookings')
          : t('booking.title', { reference: booking.trackingReference })
      }
      about={
        booking && (
          <VisitBadge
            booking={booking.status}
            appointment={statusOf(visitOf(booking))}
            toDecide={toDecide(booking)}
          />
        )
      }
    >
      <Loaded query={query}>{({ data }) => <Shown booking={data} />}</Loaded>
    </Page>
  );
}

const isUndecided = (booking: BookingDetail): boolean =>
  !CLOSED.includes(booking.status) && statusOf(visitOf(booking)) === 'Cannot Complete';

function toDecide(booking: BookingDetail): string | undefined {
  if (isUndecided(booking)) return t('state.next');
  const { payment, cancellation } = booking;
  return payment?.refund?.status === 'TO_DECIDE' || cancellation?.feeToDecide ? t('state.refund') : undefined;
}

const CHANGED = ['bookings', 'appointments', 'payments', 'availability'] as const;

function Shown({ booking }: { booking: BookingDetail }) {
  const { payment, bookingId } = booking;
  const audit = useBookingAudit(booking);
  const names = new Map(audit.map(({ actor, actorName }) => [actor, actorName]));
  const customer = useQuery('listBookingMessages', { id: bookingId }, ['bookings', 'appointments']).answer
    ?.data;
  return (
    <>
      <Actions booking={booking} />
      <div class="sections">
        <Section title={t('booking.facts')}>
          <BookingFacts booking={booking} pageUrl={customer?.trackingUrl ?? null} />
          <Details booking={booking} />
        </Section>
        {payment !== null && (
          <Section
            title={t('field.payment')}
            actions={<a href={href(`/payments/${payment.id}`)}>{t('act.more')}</a>}
          >
            <Facts
              facts={[
                { label: t('field.status'), value: <Badge kind="link" state={payment.status} /> },
                { label: t('field.amount'), value: <bdi>{money(booking.amount)}</bdi> },
                payment.failureReason !== null && {
                  label: t('payment.why'),
                  value: <bdi>{payment.failureReason}</bdi>,
                },
                payment.refund !== null && {
                  label: t('payment.refundColumn'),
                  value: <Badge kind="refund" state={payment.refund.status} />,
                },
              ]}
            />
            <PaymentActions payment={payment} />
          </Section>
        )}
        <BookingFees booking={booking} nameOfActor={(actor) => names.get(actor) ?? null} />
        <StatementLines bookingId={bookingId} />
      </div>
      <Section title={t('booking.timeline')}>
        <BookingTimeline booking={booking} audit={audit} messages={customer?.messages ?? []} />
      </Section>
    </>
  );
}

/** Its lines on issued statements; null: there are none. */
function StatementLines({ bookingId: id }: { bookingId: string }) {
  const lines = useQuery('listBookingStatementLines', { id }, ['payments']).answer?.data ?? [];
  if (lines.length === 0) return null;
  return (
    <Section title={t('nav.statements')}>
      <Table
        label={t('nav.statements')}
        rows={lines}
        id={({ number, line }) => `${number} ${line}`}
        empty=""
        columns={[
          {
            name: 'number',
            label: t('statements.number'),
            cell: ({ statementId, number }) => (
              <a href={href(`/statements/${statementId}`)}>
                <bdi>{number}</bdi>
              </a>
            ),
          },
          kindColumn(),
          moneyColumn('gross', t('statements.gross')),
        ]}
      />
    </Section>
  );
}

function BookingFacts({ booking, pageUrl }: { booking: BookingDetail; pageUrl: string | null }) {
  const { address, cancellation, timeslot } = booking;
  // The booking has the English name only.
  const services = useServiceOptions();
  const service = services.find(({ value }) => value === booking.service.id)?.label ?? booking.service.name;
  // Why it could not be done.
  const why =
    booking.appointment.status === 'Cannot Complete'
      ? booking.history.findLast(
          ({ what, reason, notes }) => what !== 'appointment.call' && (reason !== null || notes !== null),
        )
      : undefined;
  return (
    <Facts
      facts={[
        {
          label: t('field.when'),
          value: (
            <>
              {dayOf(booking.date)} {fromTo(timeslot.startAt, timeslot.endAt)}{' '}
              {!CLOSED.includes(booking.status) && (
                <a href={href('/board', { date: booking.date.slice(0, 10), q: booking.trackingReference })}>
                  {t('booking.onBoard')}
                </a>
              )}
            </>
          ),
        },
        seriesFact(booking),
        { label: t('field.service'), value: <bdi>{service}</bdi> },
        {
          label: t('field.team'),
          value:
            booking.appointment.status === 'New' ? (
              t('work.new')
            ) : (
              <>
                <bdi>{nameOf(booking.team)}</bdi> <TeamPhone team={booking.team} />
              </>
            ),
        },
        {
          label: t('field.customer'),
          value: (
            <a href={href(`/customers/${booking.contact.id}`)}>
              <bdi>{customerName(booking.contact)}</bdi>
            </a>
          ),
        },
        booking.contact.phone !== null && {
          label: t('field.phone'),
          value: (
            <Phone contact={booking.contact}>
              {(phone) => (
                <>
                  <a href={`tel:${phone}`} dir="ltr">
                    {phone}
                  </a>{' '}
                  <CopyButton text={phone} />
                </>
              )}
            </Phone>
          ),
        },
        pageUrl !== null && {
          label: t('customers.openPage'),
          value: (
            <>
              <a href={pageUrl} target="_blank" rel="noreferrer">
                {t('customers.show')}
              </a>{' '}
              <CopyButton text={pageUrl} />
            </>
          ),
        },
        {
          label: t('field.address'),
          value: <bdi>{addressText(address) ?? t('field.none')}</bdi>,
        },
        address.directions !== null && {
          label: t('address.directions'),
          value: <bdi>{address.directions}</bdi>,
        },
        {
          label: t('field.partner'),
          value: (
            <a href={href(`/partners/${booking.partnerId}`)}>
              <bdi>{booking.partnerName}</bdi>
            </a>
          ),
        },
        booking.externalReference !== null && {
          label: t('field.reference'),
          value: <bdi>{booking.externalReference}</bdi>,
        },
        { label: t('field.amount'), value: <bdi>{money(booking.amount)}</bdi> },
        booking.outcome != null && {
          label: t('decide.outcome'),
          value: t(`outcome.${booking.outcome}`),
        },
        booking.notes !== null && { label: t('field.notes'), value: <bdi>{booking.notes}</bdi> },
        why !== undefined && {
          label: t('step.why'),
          value: (
            <>
              {why.reason !== null && statusReasonText(why.reason)}{' '}
              {why.notes !== null && <bdi>{why.notes}</bdi>}
            </>
          ),
        },
        cancellation !== null && {
          label: t('booking.cancellation'),
          value: (
            <>
              <bdi>{reasonName(cancellation) ?? t('field.none')}</bdi>{' '}
              {cancellation.notes !== null && <bdi>{cancellation.notes}</bdi>}{' '}
              {cancellation.onBehalfOf !== null && <span class="faint">{t('fee.hers')}</span>}
            </>
          ),
        },
        cancellation?.workReached != null && {
          label: t('booking.workReached'),
          value: <Badge kind="appointment" state={cancellation.workReached} />,
        },
      ]}
    />
  );
}

/** Rarely used facts, folded. */
function Details({ booking }: { booking: BookingDetail }) {
  const { address, bookingId, paymentReference } = booking;
  return (
    <details>
      <summary>{t('booking.details')}</summary>
      <Facts
        facts={[
          { label: t('visits.booking'), value: <Badge kind="booking" state={booking.status} /> },
          { label: t('field.payment'), value: <Badge kind="paymentStatus" state={booking.paymentStatus} /> },
          paymentReference !== null && {
            label: t('booking.paymentReference'),
            value: <bdi>{paymentReference}</bdi>,
          },
          address.latitude !== null && {
            label: t('booking.map'),
            value: <Copied text={`${address.latitude},${address.longitude}`} />,
          },
          { label: t('field.created'), value: dateTime(booking.createdAt) },
          { label: t('field.id'), value: <Copied text={bookingId} /> },
        ]}
      />
    </details>
  );
}

const visitOf = ({ bookingId, status, trackingReference, appointment }: BookingDetail): StepVisit => ({
  id: appointment.id,
  bookingId,
  name: trackingReference,
  version: appointment.version,
  status: appointment.status,
  bookingStatus: status,
  startsAt: appointment.scheduledStartDateTime,
  endsAt: appointment.scheduledEndDateTime,
});

const movableOf = ({ appointment, team, trackingReference }: BookingDetail): MovableVisit => ({
  id: appointment.id,
  name: trackingReference,
  version: appointment.version,
  status: appointment.status,
  isAssigned: appointment.status !== 'New',
  teamId: team.id,
  startsAt: appointment.scheduledStartDateTime,
  endsAt: appointment.scheduledEndDateTime,
  busyUntil: appointment.scheduledEndDateTime,
});

type Open = 'move' | 'cancel' | 'correct' | null;

function Actions({ booking }: { booking: BookingDetail }) {
  const { bookingId, status, version } = booking;
  const action = useAction(CHANGED);
  // Other pages ask for the dialog in the address.
  const visit = visitOf(booking);
  const isClosed = CLOSED.includes(status);
  // What else could end it would waive the fee of a visit that nobody has decided on yet.
  const isNext = isUndecided(booking);
  const canCancel = !isNext && CANCELLABLE.includes(status) && may('cancelBooking');
  const isAsked = place.value.query.get('do') === 'cancel' && canCancel;
  const [chosen, setOpen] = useState<Open>(null);
  const open = chosen ?? (isAsked ? 'cancel' : null);
  const close = (): void => {
    setOpen(null);
    if (isAsked) setQuery({ do: null }, { replace: true });
  };
  async function fail(): Promise<void> {
    const reason = await ask({
      title: t('booking.fail'),
      text: t('booking.failText'),
      reason: t('field.reason'),
      confirm: t('booking.fail'),
      danger: true,
    });
    if (reason === null) return;
    if (
      await action.run(() => call('failBooking', { id: bookingId, body: { reason } }, { ifMatch: version }))
    )
      toast(t('booking.failed'));
  }
  const again = {
    contactId: booking.contact.id,
    addressId: booking.address.id,
    serviceId: booking.service.id,
  };
  const acts: (Act | false)[] = [
    isCorrectable(status, statusOf(visit)) && { text: t('act.edit'), run: () => setOpen('correct') },
    !isNext &&
      may('createBookingForPartner') && { text: t('new.again'), run: () => go(href('/bookings/new', again)) },
    { text: t('service.log'), run: () => go(href('/audit', { target: `booking:${bookingId}` })) },
    canCancel && { text: t('booking.cancel'), run: () => setOpen('cancel') },
    !isNext &&
      FAILABLE.includes(status) &&
      may('failBooking') && { text: t('booking.fail'), run: () => void fail() },
  ];
  return (
    <>
      <StatusSteps
        visit={visit}
        beside={
          <>
            {isNext && may('closeBooking') && (
              <button
                type="button"
                class="primary"
                onClick={() => {
                  deciding.value = { bookingId, name: visit.name, outcome: null };
                }}
              >
                {t('decide.next')}
              </button>
            )}
            {!isClosed && MOVABLE.includes(statusOf(visit)) && may('updateAppointment') && (
              <button type="button" onClick={() => setOpen('move')}>
                {t('booking.move')}
              </button>
            )}
          </>
        }
        more={acts.filter((act) => act !== false)}
      />
      {action.failure && <Failed failure={action.failure} />}
      {open === 'move' && <MoveDialog visit={movableOf(booking)} bookingId={bookingId} onClose={close} />}
      {open === 'correct' && <CorrectDialog bookingId={bookingId} onClose={close} />}
      <OutcomeDialog />
      <DecisionDialog />
      {open === 'cancel' && <CancelDialog booking={booking} onClose={close} />}
    </>
  );
}

function reasonName({
  reasonNameEn,
  reasonNameAr,
}: NonNullable<BookingDetail['cancellation']>): string | null {
  return reasonNameEn === null ? null : nameOf({ nameEn: reasonNameEn, nameAr: reasonNameAr });
}
