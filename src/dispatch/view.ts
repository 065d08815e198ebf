import { isDeepStrictEqual } from 'node:util';
import { riyadhIsoOrNull, timeOf, toRiyadhIso } from '../base/clock.ts';
import type { EventName } from '../bookings/rules.ts';
import { BOOKINGS } from '../bookings/table.ts';
import { bookingRecord, costView } from '../bookings/view.ts';
import { addressView } from '../contacts/view.ts';
import { fieldsShown, viewBy } from '../http/fields.ts';
import { givenBack, historyOf } from '../policies/ledger.ts';
import type { AppointmentRow, HistoryEvent, OperatorBookingRow, RecordedChange } from './queries.ts';
import { Appointment, VisitCall } from './schema.ts';

/** Bookings and appointments in the operator's interface and the audit log; the routes add payments. */

/** The partner's view of a booking with the customer and the appointment, also an unassigned one. */
export function operatorBookingView(row: OperatorBookingRow) {
  return {
    ...bookingRecord(row),
    appointmentId: row.appointment_id,
    appointment: {
      id: row.appointment_id,
      name: row.appointment_name,
      status: row.appointment_status,
      version: row.appointment_version,
      scheduledStartDateTime: toRiyadhIso(row.starts_at),
      scheduledEndDateTime: toRiyadhIso(row.ends_at),
    },
    partnerId: row.partner_id,
    partnerName: row.partner_name,
    contact: { id: row.contact_id, name: row.contact_name, phone: row.phone },
    address: addressView({ ...row, id: row.address_id }),
    service: { id: row.service_id, name: row.service_name },
    team: { id: row.team_id, name: row.team_name, nameAr: row.team_name_ar, phone: row.team_phone },
    amount: Number(row.amount),
    ...fieldsShown(BOOKINGS, 'operator', row),
    paymentReference: row.payment_reference,
    paymentConfirmedAt: riyadhIsoOrNull(row.payment_confirmed_at),
    cancellation: cancellationView(row),
    version: row.version,
  };
}

function cancellationView(row: OperatorBookingRow) {
  if (row.cancelled_at === null) return null;
  return {
    reasonId: row.cancellation_reason_id,
    reasonNameEn: row.reason_name_en,
    reasonNameAr: row.reason_name_ar,
    notes: row.cancellation_notes,
    action: row.cancellation_action,
    by: row.cancelled_by,
    at: toRiyadhIso(row.cancelled_at),
    ...costView(row),
  };
}

export type HistoryEntry = {
  at: string;
  by: string;
  what: string;
  /** Why the appointment got its status, of an operator's change. */
  reason: string | null;
  notes: string | null;
  /** When it happened, if a crew reported it later. */
  happenedAt: string | null;
  isTimeUncertain: boolean;
  sequence: number | null;
};

/** operatorBookingView with the history. */
export function operatorBookingDetailView({
  row,
  events,
  changes,
}: {
  row: OperatorBookingRow;
  events: readonly HistoryEvent[];
  changes: readonly RecordedChange[];
}) {
  const fees = row.fees ?? [];
  const decisions = changes.filter(({ action }) => FEE_DECISIONS.includes(action));
  return {
    ...operatorBookingView(row),
    feeHistory: historyOf(fees).map((entry) => feeHistoryView(entry, decisions)),
    feesGivenBack: givenBack(fees) / 100,
    history: historyView(events, changes),
  };
}

/** The operators' changes that decide on fees, in the audit log. */
const FEE_DECISIONS = ['booking.outcome', 'booking.waive', 'payment.refund', 'payment.refund_decline'];

/** The reason is in the audit log, where it can be erased; its decision is taken out of `decisions`. */
function feeHistoryView(
  { entry, change, total }: ReturnType<typeof historyOf>[number],
  decisions: RecordedChange[],
) {
  const { at, by = null, on_behalf_of, action, outcome } = entry;
  const isDecision = action === 'decide' || action === 'waive';
  const place = decisions.findIndex((one) => isDecision && one.at === at && one.actor === by);
  const after = (place < 0 ? {} : decisions.splice(place, 1)[0]!.after) as {
    reason?: string;
    refundDecision?: { reason?: string } | null;
  };
  return {
    at: toRiyadhIso(at),
    by,
    onBehalfOf: on_behalf_of ?? null,
    what: action,
    change: change / 100,
    total: total / 100,
    outcome: outcome ?? null,
    reason: after.reason ?? after.refundDecision?.reason ?? null,
  };
}

/**
 * The history of a booking, oldest first: its events, and the operators' changes without an event. Events stay in their
 * sequence, not in the order of their times: a sandbox's clock may go back.
 */
export function historyView(
  events: readonly HistoryEvent[],
  changes: readonly RecordedChange[],
): HistoryEntry[] {
  const isOf = (change: RecordedChange, { created_at, actor, event }: HistoryEvent): boolean =>
    created_at === change.at && actor === change.actor && eventsOf(change).includes(event as EventName);
  // Changes of the same moment belong to their events in order.
  const causes = [...changes];
  const takeCause = (event: HistoryEvent): RecordedChange | undefined => {
    const place = causes.findIndex((change) => isOf(change, event));
    return place < 0 ? undefined : causes.splice(place, 1)[0];
  };
  const untold = changes.filter((change) => !events.some((event) => isOf(change, event)));
  const history: HistoryEntry[] = [];
  for (const event of events) {
    const { created_at, actor, sequence } = event;
    while (untold.length > 0 && untold[0]!.at < created_at) history.push(changeView(untold.shift()!));
    const cause = event.event === 'booking.appointment_status_changed' ? takeCause(event) : undefined;
    history.push({
      at: toRiyadhIso(created_at),
      by: actor,
      what: event.event,
      ...causeOf(cause),
      sequence,
    });
  }
  return [...history, ...untold.map(changeView)];
}

/** Changes without an event of which the history tells more. */
const TOLD = ['appointment.call', 'crew-step.refuse', 'crew-step.late'];

function changeView(change: RecordedChange): HistoryEntry {
  const { at, actor, action } = change;
  const cause = TOLD.includes(action) ? change : undefined;
  return { at: toRiyadhIso(at), by: actor, what: action, ...causeOf(cause), sequence: null };
}

type Cause =
  | (Partial<
      Record<
        'statusReason' | 'statusNotes' | 'correctedBecause' | 'happenedAt' | 'refusal' | 'answer',
        string
      >
    > & {
      isTimeUncertain?: boolean;
      lateMinutes?: number | null;
    })
  | null
  | undefined;

/** Notes that were erased are null. */
function causeOf(change: RecordedChange | undefined): Omit<HistoryEntry, 'at' | 'by' | 'what' | 'sequence'> {
  const {
    statusReason = null,
    statusNotes = null,
    correctedBecause = null,
    happenedAt = null,
    isTimeUncertain = false,
    refusal,
    answer,
    lateMinutes,
  } = (change?.after as Cause) ?? {};
  if (change?.action === 'appointment.correct')
    return { reason: 'CORRECTED', notes: correctedBecause, happenedAt, isTimeUncertain };
  const isDelay = change?.action.startsWith('crew-step.') && typeof lateMinutes === 'number';
  const notes = isDelay ? `${lateMinutes} min` : statusNotes;
  return { reason: answer ?? refusal ?? statusReason, notes, happenedAt, isTimeUncertain };
}

/** The events in the transaction of an operator's change. */
function eventsOf({ action, before, after }: RecordedChange): EventName[] {
  if (action === 'booking.create') return ['booking.created'];
  if (action === 'booking.waive' || action === 'booking.outcome') return ['booking.fees_changed'];
  if (action === 'booking.cancel' || action === 'booking.close') return ['booking.cancelled'];
  if (action === 'booking.revisit') return ['booking.updated', 'booking.appointment_status_changed'];
  if (action === 'booking.fail')
    return ['booking.failed', 'booking.payment_failed', 'booking.appointment_status_changed'];
  if (action !== 'appointment.update' && action !== 'appointment.correct') return [];
  const [from, to] = [before as AppointmentView, after as AppointmentView];
  const events: EventName[] = [];
  if (from.status !== to.status) events.push('booking.appointment_status_changed');
  if (!isDeepStrictEqual([from.startsAt, from.endsAt], [to.startsAt, to.endsAt]))
    events.push('booking.updated');
  return events;
}

/** An appointment in the operator's interface, with its booking; times of Riyadh. */
export function appointmentView(row: AppointmentRow) {
  return viewBy(Appointment, row, {
    team: { id: row.team_id, name: row.team_name, nameAr: row.team_name_ar, phone: row.team_phone },
    lastCall: row.last_call && viewBy(VisitCall, row.last_call),
    date: row.service_date,
    timeslot: { startAt: timeOf(row.starts_at), endAt: timeOf(row.ends_at) },
    contact: { name: row.contact_name, phone: row.phone },
    address: addressView({ ...row, id: row.address_id }),
  });
}

/** The appointment in the audit log, which nothing erases: without customer, address, phones and calls. */
export function auditedAppointment(row: AppointmentRow) {
  const { contact: _contact, address: _address, lastCall: _call, team, ...audited } = appointmentView(row);
  return { ...audited, team: { ...team, phone: undefined } };
}

export type AppointmentView = ReturnType<typeof appointmentView>;
