import { useState } from 'preact/hooks';
import { actorText } from '../audit/sentence.tsx';
import type { AuditEntry, BookingDetail, CustomerMessage, Payment, WebhookDelivery } from '../contract.ts';
import { money, timeOfDay } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { Badge, eventName, stateName } from '../parts/badge.tsx';
import { ChangesTable } from '../parts/changes-table.tsx';
import { DeliveryAttempts } from '../parts/delivery-attempts.tsx';
import { statusReasonText } from '../parts/step-dialogs.tsx';
import { type Moment, Timeline } from '../parts/timeline.tsx';
import { useAll } from '../query.ts';

/** Events, operators' changes, deliveries, payments, refunds and messages of a booking, newest first. */
export function BookingTimeline({
  booking,
  audit,
  messages,
}: {
  booking: BookingDetail;
  audit: readonly AuditEntry[];
  messages: readonly CustomerMessage[];
}) {
  const { bookingId } = booking;
  const deliveries = useAll('listDeliveries', { query: { bookingId } }, ['deliveries']);
  const payments = useAll('listPayments', { query: { bookingId } }, ['payments']);
  const moments = [
    ...historyMoments(booking, audit),
    ...(deliveries.answer ?? []).map(deliveryMoment),
    ...(payments.answer ?? []).flatMap(paymentMoments),
    ...messages.map(messageMoment),
  ];
  if (moments.length === 0) return <p class="empty">{t('booking.noEvents')}</p>;
  return <Timeline moments={moments.sort((one, other) => Date.parse(other.at) - Date.parse(one.at))} />;
}

/** Operators' actions on a booking and its appointment. */
export function useBookingAudit({ bookingId, appointmentId }: BookingDetail): AuditEntry[] {
  const ofBooking = useAll('listAudit', { query: { target: `booking:${bookingId}` } }, ['audit']);
  const ofAppointment = useAll('listAudit', { query: { target: `appointment:${appointmentId}` } }, ['audit']);
  return [...(ofBooking.answer ?? []), ...(ofAppointment.answer ?? [])];
}

/** The history, with the changed fields of operators' actions. */
function historyMoments({ history, team }: BookingDetail, audit: readonly AuditEntry[]): Moment[] {
  const remaining = [...audit];
  const names = new Map(audit.map(({ actor, actorName }) => [actor, actorName]));
  const nameOfActor = (by: string): string | null =>
    names.get(by) ?? (by === `crew:${team.id}` ? nameOf(team) : null);
  return history
    .toReversed()
    .map(({ at, by, what, sequence, reason, notes, happenedAt, isTimeUncertain }, index) => {
      const place = remaining.findIndex((entry) => entry.at === at && entry.actor === by);
      const [entry] = place < 0 ? [] : remaining.splice(place, 1);
      return {
        key: `history ${sequence ?? `${at} ${index}`}`,
        at,
        ...((what === 'booking.payment_failed' || what === 'crew-step.refuse') && { tone: 'bad' as const }),
        title: (
          <>
            <strong>
              {(what === 'booking.appointment_status_changed' && stepText(entry)) || eventName(what)}
            </strong>{' '}
            {reason !== null && `${statusReasonText(reason)} `}
            {notes !== null && <bdi>{notes} </bdi>}
            {happenedAt !== null && `${t('event.happenedAt', { time: timeOfDay(happenedAt) })} `}
            {isTimeUncertain && `${t('steps.uncertain')} `}
            <bdi class="faint">
              {by === 'partner'
                ? t('booking.byPartner')
                : t('booking.by', { who: actorText(by, nameOfActor(by)) })}
            </bdi>
          </>
        ),
        body: entry && (
          <details>
            <summary>{t('booking.changes')}</summary>
            <ChangesTable before={entry.before} after={entry.after} />
          </details>
        ),
      };
    });
}

/** The statuses before and after an operator's step; empty: not known. */
function stepText(entry: AuditEntry | undefined): string {
  const [from, to] = [entry?.before, entry?.after].map((one) => (one as { status?: string } | null)?.status);
  return from === undefined || to === undefined || from === to
    ? ''
    : t('booking.fromTo', { from: stateName('appointment', from), to: stateName('appointment', to) });
}

function deliveryMoment(delivery: WebhookDelivery): Moment {
  const { id, createdAt, deliveredAt, status, partnerName, event } = delivery;
  return {
    key: `delivery ${id}`,
    at: deliveredAt ?? createdAt,
    tone: status === 'DELIVERED' ? 'good' : status === 'FAILED' ? 'bad' : 'notice',
    title: (
      <>
        {t('delivery.to', { partner: partnerName, event: eventName(event) })}{' '}
        <Badge kind="delivery" state={status} />
      </>
    ),
    body: <Attempts id={id} />,
  };
}

/** Loaded when opened. */
function Attempts({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('delivery.attempts')}</summary>
      {open && <DeliveryAttempts id={id} />}
    </details>
  );
}

function messageMoment({ id, kind, status, reason, at }: CustomerMessage): Moment {
  const outcome = status === 'DROPPED' ? (`not.${reason as 'MOVED'}` as const) : status;
  return {
    key: `message ${id}`,
    at,
    ...(status === 'SENT' && { tone: 'good' as const }),
    ...((status === 'FAILED' || status === 'UNKNOWN') && { tone: 'bad' as const }),
    title: (
      <>
        {t('customers.message', { kind: t(`customers.${kind}`) })} · {t(`customers.${outcome}`)}{' '}
        {status !== 'DROPPED' && reason !== null && <bdi class="faint">{reason}</bdi>}
      </>
    ),
  };
}

function paymentMoments(payment: Payment): Moment[] {
  const { id, createdAt, sentAt, paidAt, paidAmount, late, refund, status, failureReason, updatedAt } =
    payment;
  const moments: Moment[] = [{ key: `asked ${id}`, at: createdAt, title: t('payment.created') }];
  if (sentAt !== null) moments.push({ key: `sent ${id}`, at: sentAt, title: t('payment.sent') });
  if (paidAt !== null) {
    moments.push({
      key: `paid ${id}`,
      at: paidAt,
      tone: late ? 'bad' : 'good',
      title: `${t('payment.paid', { amount: money(paidAmount ?? payment.amount) })}${late ? ` · ${t('payment.late')}` : ''}`,
    });
  }
  if (status === 'FAILED' || status === 'EXPIRED') {
    moments.push({
      key: `failed ${id}`,
      at: updatedAt,
      tone: 'bad',
      title: (
        <>
          {stateName('link', status)} {failureReason !== null && <bdi class="faint">{failureReason}</bdi>}
        </>
      ),
    });
  }
  if (refund !== null) {
    moments.push({
      key: `refund ${id}`,
      at: refund.refundedAt ?? updatedAt,
      tone: refund.status === 'DONE' ? 'good' : refund.status === 'FAILED' ? 'bad' : 'notice',
      title: (
        <>
          {t('payment.refund', { amount: money(refund.amount), state: stateName('refund', refund.status) })}{' '}
          {refund.error !== null && <bdi class="faint">{refund.error}</bdi>}
        </>
      ),
    });
  }
  return moments;
}
