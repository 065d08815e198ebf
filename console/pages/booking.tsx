import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { MovableVisit } from '../board/moves.ts';
import { OutcomeDialog } from '../board/outcome.tsx';
import type { BookingDetail } from '../contract.ts';
import { dateTime, dayOf, fromTo, money } from '../format.ts';
import { customerName, nameOf, t } from '../language.ts';
import { useServiceOptions } from '../options.ts';
import { addressText } from '../parts/address-text.ts';
import { Badge } from '../parts/badge.tsx';
import { Copied, CopyButton } from '../parts/copy-button.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { deciding } from '../parts/deciding.ts';
import { DecisionDialog } from '../parts/decision-dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { MoveDialog } from '../parts/move-dialog.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PaymentActions } from '../parts/payment-actions.tsx';
import { Phone } from '../parts/phone.tsx';
import { ask } from '../parts/questions.tsx';
import { StatusSteps, type StepVisit, statusOf } from '../parts/status-steps.tsx';
import { statusReasonText } from '../parts/step-dialogs.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { href, place, setQuery } from '../router.ts';
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
          <>
            <Badge kind="booking" state={booking.status} />{' '}
            <Badge kind="paymentStatus" state={booking.paymentStatus} />{' '}
            <Badge kind="appointment" state={statusOf(visitOf(booking))} />
          </>
        )
      }
      actions={
        <a class="button" href={href('/audit', { target: `booking:${id}` })}>
          {t('service.log')}
        </a>
      }
    >
      <Loaded query={query}>{({ data }) => <Shown booking={data} />}</Loaded>
    </Page>
  );
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
      </div>
      <Section title={t('booking.timeline')}>
        <BookingTimeline booking={booking} audit={audit} messages={customer?.messages ?? []} />
      </Section>
    </>
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
      ? booking.history.findLast(({ reason, notes }) => reason !== null || notes !== null)
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
        { label: t('field.service'), value: <bdi>{service}</bdi> },
        {
          label: t('field.team'),
          value: booking.appointment.status === 'New' ? t('work.new') : <bdi>{nameOf(booking.team)}</bdi>,
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
        address.latitude !== null && {
          label: t('booking.map'),
          value: (
            <>
              <bdi dir="ltr">
                {address.latitude}, {address.longitude}
              </bdi>{' '}
              <CopyButton text={`${address.latitude},${address.longitude}`} />
            </>
          ),
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
        booking.paymentReference !== null && {
          label: t('booking.paymentReference'),
          value: <bdi>{booking.paymentReference}</bdi>,
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
        { label: t('field.created'), value: dateTime(booking.createdAt) },
        {
          label: t('field.id'),
          value: <Copied text={booking.bookingId} />,
        },
      ]}
    />
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

type Open = 'move' | 'cancel' | null;

function Actions({ booking }: { booking: BookingDetail }) {
  const { bookingId, status, version } = booking;
  const action = useAction(CHANGED);
  // Other pages ask for the dialog in the address.
  const visit = visitOf(booking);
  const isClosed = CLOSED.includes(status);
  // What else could end it would waive the fee of a visit that nobody has decided on yet.
  const isUndecided = !isClosed && statusOf(visit) === 'Cannot Complete';
  const canCancel = !isUndecided && CANCELLABLE.includes(status) && may('cancelBooking');
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
  return (
    <>
      <div class="buttons">
        <StatusSteps visit={visit} />
        {isUndecided && may('closeBooking') && (
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
        {canCancel && (
          <button type="button" onClick={() => setOpen('cancel')}>
            {t('booking.cancel')}
          </button>
        )}
        {!isUndecided && FAILABLE.includes(status) && may('failBooking') && (
          <button type="button" disabled={action.busy} onClick={() => void fail()}>
            {t('booking.fail')}
          </button>
        )}
        {!isUndecided && may('createBookingForPartner') && (
          <a
            class="button"
            href={href('/bookings/new', {
              contactId: booking.contact.id,
              addressId: booking.address.id,
              serviceId: booking.service.id,
            })}
          >
            {t('new.again')}
          </a>
        )}
      </div>
      {action.failure && <Failed failure={action.failure} />}
      {open === 'move' && <MoveDialog visit={movableOf(booking)} bookingId={bookingId} onClose={close} />}
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
