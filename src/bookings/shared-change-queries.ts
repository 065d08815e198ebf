import type { CalendarDate, Instant } from '../base/clock.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { SERVER_STARTED } from '../db/server.ts';
import {
  bigint,
  boolean,
  dates,
  first,
  float,
  floats,
  gappy,
  hotStatement,
  int,
  ints,
  jsonbs,
  nullable,
  type Row,
  rows,
  text,
  texts,
  timestamps,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import { isCustomerReasonSql } from '../reasons/queries.ts';
import { gatherLookups, gatherWrites, LEFT } from '../runtime/gather.ts';
import {
  type After,
  type NewEvent,
  saveCancellation,
  savePaymentConfirmation,
  saveUpdate,
} from './change-queries.ts';
import { TO_CHANGE, TO_CHANGE_COLUMNS } from './queries.ts';
import type { PaymentStatus } from './rules.ts';

const SEEN_COLUMNS = { ...TO_CHANGE_COLUMNS, server: float };
const SEE = `select ${TO_CHANGE}, ${SERVER_STARTED} as server from bookings b join appointments a on a.booking_id = b.id`;

export const SEE_BOOKING = hotStatement({
  name: 'see-booking',
  takes: { bookingId: uuid, partnerId: uuid },
  returns: SEEN_COLUMNS,
  text: `
    ${SEE} where b.id = :bookingId and b.partner_id = :partnerId`,
});

/**
 * A booking as it is before a change, read without a lock, and the server on which it was read. A save that is given its
 * version writes nothing when the row has been written since. Whatever changes what a partner sees of a booking or its
 * appointment writes the booking's row in the same transaction; test/changes-unlocked.test.ts holds that.
 */
export type SeenBooking = Row<typeof SEE_BOOKING>;

const SEEN_TO_CANCEL = { ...SEEN_COLUMNS, id: nullable(uuid), reason_is_known: boolean };

export const SEE_TO_CANCEL = hotStatement({
  name: 'see-to-cancel',
  takes: { bookingId: uuid, partnerId: uuid, reasonId: uuid },
  returns: SEEN_TO_CANCEL,
  text: `
    select reason.reason_is_known, seen.*
    from (select ${isCustomerReasonSql(':reasonId')} as reason_is_known) reason
    left join lateral (${SEE}
      where b.id = :bookingId and b.partner_id = :partnerId offset 0
    ) seen on true`,
});

// Laterally and in subselects, as FIND_BOOKINGS.
export const SEE_BOOKINGS = hotStatement({
  name: 'see-bookings',
  takes: { bookingIds: uuids, partnerIds: uuids, reasonIds: gappy(uuids) },
  returns: { place: bigint, ...SEEN_TO_CANCEL },
  text: `
    select wanted.place, wanted.reason_id is null or ${isCustomerReasonSql('wanted.reason_id')} as reason_is_known, seen.*
    from unnest((select :bookingIds::uuid[]), (select :partnerIds::uuid[]), (select :reasonIds::uuid[]))
      with ordinality as wanted (id, partner_id, reason_id, place)
    left join lateral (${SEE}
      where b.id = wanted.id and b.partner_id = wanted.partner_id offset 0
    ) seen on true`,
});

/** The booking to change, and the reason to cancel it for, if it is to be cancelled. */
export type ToSee = { partnerId: string; bookingId: string; reasonId: string | null };
/** `reasonIsKnown`: it is one that a partner may give, or none was asked about. */
export type Seen = { booking: SeenBooking | null; reasonIsKnown: boolean };
export type BookingSeer = (wanted: ToSee) => Promise<Seen>;

function seenOf({ reason_is_known, ...row }: Row<typeof SEE_TO_CANCEL>): Seen {
  return { booking: row.id === null ? null : { ...row, id: row.id }, reasonIsKnown: reason_is_known };
}

async function see(db: Queryable, { partnerId, bookingId, reasonId }: ToSee): Promise<Seen> {
  if (reasonId === null)
    return { booking: await first(db, SEE_BOOKING, { partnerId, bookingId }), reasonIsKnown: true };
  const [row] = await rows(db, SEE_TO_CANCEL, { partnerId, bookingId, reasonId });
  return seenOf(row!);
}

async function seeMany(db: Queryable, wanted: readonly ToSee[]): Promise<Seen[]> {
  const found = await rows(db, SEE_BOOKINGS, {
    bookingIds: wanted.map(({ bookingId }) => bookingId),
    partnerIds: wanted.map(({ partnerId }) => partnerId),
    reasonIds: wanted.map(({ reasonId }) => reasonId),
  });
  const seen = new Array<Seen>(wanted.length);
  for (const { place, ...row } of found) seen[place - 1] = seenOf(row);
  return seen;
}

/** A look at a booking before a change, shared by requests that arrive together. */
export function createBookingSeer(db: Queryable): BookingSeer {
  return gatherLookups<ToSee, Seen>({
    one: (wanted) => see(db, wanted),
    many: (wanted) => seeMany(db, wanted),
    maxKeys: 100,
    maxRunning: 2,
  });
}

/** A change by a partner, decided on a booking as it was seen, which takes one statement to save. */
export type BookingChange = {
  /** With the server on which it was seen: saved on that one alone, and for a reason that still is one. Without: it is locked. */
  booking: { id: string; version: number; server?: number };
  now: Instant;
  events: NewEvent[];
} & (
  | {
      kind: 'update';
      changed: { externalReference: string | null; notes: string | null; serviceDate: CalendarDate };
    }
  | { kind: 'confirm'; confirmation: { paymentStatus: PaymentStatus; paymentReference: string | null } }
  | {
      kind: 'cancel';
      after: After;
      cancellation: { reasonId: string; notes: string | null; action: string };
    }
);

/** Who makes such changes, for the history of the booking. */
export const PARTNER = 'partner';

/** Saves one change by itself. */
export function saveChange(db: Queryable, change: BookingChange): Promise<boolean> {
  const { now, booking, events } = change;
  switch (change.kind) {
    case 'update':
      return saveUpdate(db, now, booking, change.changed, events[0] ?? null);
    case 'confirm':
      return savePaymentConfirmation(db, now, booking, change.confirmation, events[0]!);
    case 'cancel':
      return saveCancellation(
        db,
        now,
        booking,
        change.after,
        { ...change.cancellation, by: PARTNER },
        events,
      );
  }
}

// None where the server or the reason is another: nothing is saved then, as for a booking that has changed.
const VERSIONS = `array(
        select case when given.server is null then given.version
          when given.server = ${SERVER_STARTED}
            and (given.reason_id is null or ${isCustomerReasonSql('given.reason_id')}) then given.version end
        from unnest((select :versions::integer[]), (select :servers::float8[]), (select :reasonIds::uuid[]))
          with ordinality as given (version, server, reason_id, place)
        order by given.place)`;

export const SAVE_CHANGES = hotStatement({
  name: 'save-changes',
  writesEvent: true,
  takes: {
    kinds: texts,
    bookingIds: uuids,
    versions: ints,
    servers: gappy(floats),
    times: timestamps,
    eventCounts: ints,
    externalReferences: gappy(texts),
    notes: gappy(texts),
    serviceDates: gappy(dates),
    paymentStatuses: gappy(texts),
    paymentReferences: gappy(texts),
    statuses: gappy(texts),
    appointmentStatuses: gappy(texts),
    reasonIds: gappy(uuids),
    actions: gappy(texts),
    actor: text,
    eventPlaces: ints,
    eventIds: uuids,
    eventNames: texts,
    payloads: jsonbs,
  },
  returns: { place: int, outcome: typed<'SAVED' | 'CHANGED' | 'LOCKED'>(text) },
  text: `
    select place, outcome from save_changes(
      p_kinds => :kinds, p_booking_ids => :bookingIds, p_versions => ${VERSIONS}, p_times => :times,
      p_event_counts => :eventCounts, p_external_references => :externalReferences, p_notes => :notes,
      p_service_dates => :serviceDates, p_payment_statuses => :paymentStatuses, p_payment_references => :paymentReferences,
      p_statuses => :statuses, p_appointment_statuses => :appointmentStatuses, p_reason_ids => :reasonIds,
      p_actions => :actions, p_actor => :actor, p_event_places => :eventPlaces, p_event_ids => :eventIds,
      p_event_names => :eventNames, p_payloads => :payloads)`,
});

/**
 * saveChange for several bookings, each of which has one change, in one statement (save_changes in
 * functions.sql). LEFT: another transaction holds the booking.
 */
async function saveChanges(
  db: Queryable,
  changes: readonly BookingChange[],
): Promise<(boolean | typeof LEFT)[]> {
  const updates = changes.map((change) => (change.kind === 'update' ? change.changed : null));
  const confirmations = changes.map((change) => (change.kind === 'confirm' ? change.confirmation : null));
  const cancels = changes.map((change) => (change.kind === 'cancel' ? change : null));
  const events = changes.flatMap((change, index) =>
    change.events.map((event) => ({ event, place: index + 1 })),
  );
  const saved = await rows(db, SAVE_CHANGES, {
    kinds: changes.map(({ kind }) => kind),
    bookingIds: changes.map(({ booking }) => booking.id),
    versions: changes.map(({ booking }) => booking.version),
    servers: changes.map(({ booking }) => booking.server ?? null),
    times: changes.map(({ now }) => now),
    eventCounts: changes.map((change) => change.events.length),
    externalReferences: updates.map((changed) => changed?.externalReference ?? null),
    notes: updates.map((changed, index) => changed?.notes ?? cancels[index]?.cancellation.notes ?? null),
    serviceDates: updates.map((changed) => changed?.serviceDate ?? null),
    paymentStatuses: confirmations.map(
      (confirmed, index) => confirmed?.paymentStatus ?? cancels[index]?.after.paymentStatus ?? null,
    ),
    paymentReferences: confirmations.map((confirmed) => confirmed?.paymentReference ?? null),
    statuses: cancels.map((cancel) => cancel?.after.status ?? null),
    appointmentStatuses: cancels.map((cancel) => cancel?.after.appointmentStatus ?? null),
    reasonIds: cancels.map((cancel) => cancel?.cancellation.reasonId ?? null),
    actions: cancels.map((cancel) => cancel?.cancellation.action ?? null),
    actor: PARTNER,
    eventPlaces: events.map(({ place }) => place),
    eventIds: events.map(({ event }) => event.id),
    eventNames: events.map(({ event }) => event.name),
    payloads: events.map(({ event }) => JSON.stringify(event.payload)),
  });
  const outcomes = new Array<boolean | typeof LEFT>(changes.length).fill(LEFT);
  for (const { place, outcome } of saved) {
    if (outcome !== 'LOCKED') outcomes[place - 1] = outcome === 'SAVED';
  }
  return outcomes;
}

/** Saves a change; false: the booking is not what was seen any more, and nothing was written. */
export type ChangeSaver = (change: BookingChange) => Promise<boolean>;

/** saveChange, shared by requests that arrive together. */
export function createChangeSaver(db: Db): ChangeSaver {
  return gatherWrites<BookingChange, boolean>({
    one: (change) => saveChange(db, change),
    many: (changes) => saveChanges(db, changes),
    keyOf: ({ booking }) => booking.id,
    mayShare: () => !db.isTraced(),
    maxKeys: 32,
    maxRunning: 2,
  });
}
