import type { Selectable } from 'kysely';
import { HOLD_IN_THE_WAY, type HoldInTheWay } from '../availability/hold-in-the-way.ts';
import { milliseconds } from '../availability/queries.ts';
import type { Instant } from '../base/clock.ts';
import { REPORTED_DELAY } from '../bookings/late-queries.ts';
import type { AppointmentStatus, BookingStatus, PaymentStatus } from '../bookings/rules.ts';
import { BOOKINGS, type BookingTable } from '../bookings/table.ts';
import { SOLD_NAME, SOLD_NAME_AR } from '../catalogue/sold-names.ts';
import { ADDRESS_TEXTS, type AddressPlace } from '../contacts/table.ts';
import type { Queryable } from '../db/connection.ts';
import { AS_PEOPLE_SORT } from '../db/pages.ts';
import { first, hotStatement, pg } from '../db/statement.ts';
import { LAST_CALL, type LastCall } from '../dispatch/call-queries.ts';
import { columnsShown } from '../http/fields.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import type { Shift } from '../teams/rules.ts';
import { SCHEDULES } from '../teams/schedule-queries.ts';
import type { Schedule } from '../teams/schedule-rules.ts';
import { refusals, type VisitRefusal } from '../teams/visit-queries.ts';

export type BoardZone = {
  id: string;
  name: string;
  name_ar: string | null;
  is_active: boolean;
  slot_grid_minutes: number;
  version: number;
};

export type BoardTeam = {
  id: string;
  lock_number: number;
  name: string;
  name_ar: string | null;
  phone: string | null;
  is_active: boolean;
  travel_buffer_minutes: number;
  version: number;
  home_zone_id: string | null;
  zone_ids: string[];
  service_ids: string[];
  shifts: Shift[];
  /** Times off that touch the period. */
  time_off: { id: string; starts_at: Instant; ends_at: Instant; reason: string }[];
};

export type BoardAppointment = {
  id: string;
  version: number;
  name: string;
  status: AppointmentStatus;
  team_id: string;
  zone_id: string;
  starts_at: Instant;
  ends_at: Instant;
  busy_until: Instant;
  /** Why its team could not do it; null: it could, or the work is over. */
  problem: VisitRefusal | null;
  late_minutes: number | null;
  last_call: LastCall | null;
  booking_id: string;
  booking_version: number;
  booking_status: BookingStatus;
  payment_status: PaymentStatus;
  payment_responsibility: PaymentResponsibility;
  /** SAR. */
  amount: number;
  partner_id: string;
  partner_name: string;
  service_id: string;
  service_name: string;
  service_name_ar: string | null;
  contact_id: string;
  contact_name: string;
  phone: string | null;
  address_id: string;
} & Omit<AddressPlace, 'id'> &
  Pick<Selectable<BookingTable>, ReturnType<typeof columnsShown<typeof BOOKINGS, 'operator'>>[number]>;

/** A slot that a customer holds with a team. */
export type BoardHold = { team_id: string; hold: HoldInTheWay };

export type BoardRows = {
  zones: BoardZone[];
  teams: BoardTeam[];
  appointments: BoardAppointment[];
  holds: BoardHold[];
  /** The strongest first. */
  schedules: Schedule[];
};

const FIELDS = columnsShown(BOOKINGS, 'operator')
  .map((column) => `'${column}', b.${column}`)
  .join(', ');
const TEXTS_OF_ADDRESS = Object.values(ADDRESS_TEXTS)
  .map((column) => `'${column}', d.${column}`)
  .join(', ');

// One statement, so one snapshot. A check of the table bounds the length of appointments, so the index on starts_at is
// used.
export const LOAD_BOARD = hotStatement({
  name: 'load-board',
  takes: {
    from: pg.timestamptz,
    until: pg.timestamptz,
    zoneId: pg.nullable(pg.uuid),
    now: pg.timestamptz,
  },
  returns: { board: pg.json<BoardRows>() },
  text: `
    with held as materialized (
      select * from appointments
      where status not in ('Cancelled', 'Held') and starts_at < :until and starts_at > :from::timestamptz - interval '32 hours'
        and busy_until > :from
    ), shown as materialized (
      select t.* from teams t
      where (t.is_active or exists (select 1 from held where team_id = t.id))
        and (:zoneId::uuid is null
          or exists (select 1 from team_zones where team_id = t.id and zone_id = :zoneId)
          or exists (select 1 from held where team_id = t.id and zone_id = :zoneId))
    )
    select json_build_object(
      'zones', (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'name_ar', name_ar, 'is_active', is_active,
          'slot_grid_minutes', slot_grid_minutes, 'version', version) order by name ${AS_PEOPLE_SORT}, id), '[]')
        from zones where case when :zoneId::uuid is null then is_active else id = :zoneId end),
      'teams', (select coalesce(json_agg(json_build_object('id', t.id, 'lock_number', t.lock_number, 'name', t.name,
          'name_ar', t.name_ar, 'phone', t.phone,
          'is_active', t.is_active, 'travel_buffer_minutes', t.travel_buffer_minutes, 'version', t.version,
          'home_zone_id', t.home_zone_id, 'zone_ids', array(select zone_id from team_zones where team_id = t.id order by zone_id),
          'service_ids', array(select service_id from team_services where team_id = t.id order by service_id),
          'shifts', (select coalesce(json_agg(json_build_object('weekday', weekday, 'start', start_minute,
              'end', end_minute) order by weekday, start_minute), '[]') from team_shifts where team_id = t.id),
          'time_off', (select coalesce(json_agg(json_build_object('id', id, 'starts_at', ${milliseconds('starts_at')},
              'ends_at', ${milliseconds('ends_at')}, 'reason', reason) order by starts_at, id), '[]')
            from team_time_off where team_id = t.id and starts_at < :until and ends_at > :from)
          ) order by t.name ${AS_PEOPLE_SORT}, t.id), '[]')
        from shown t),
      'schedules', ${SCHEDULES},
      'holds', (select coalesce(json_agg(json_build_object('team_id', o.team_id, 'hold', ${HOLD_IN_THE_WAY})
          order by h.starts_at, h.id), '[]')
        from appointments o join holds h on h.id = o.id join partners p on p.id = h.partner_id
        where o.status = 'Held' and h.expires_at > :now and o.team_id in (select id from shown)
          and o.starts_at < :until and o.starts_at > :from::timestamptz - interval '32 hours' and o.busy_until > :from),
      'appointments', (select coalesce(json_agg(json_build_object('id', a.id, 'version', a.version, 'name', a.name,
          'status', a.status, 'team_id', a.team_id, 'zone_id', a.zone_id, 'starts_at', ${milliseconds('a.starts_at')},
          'ends_at', ${milliseconds('a.ends_at')}, 'busy_until', ${milliseconds('a.busy_until')},
          'problem', case when a.status not in ('Finished', 'Completed', 'Cannot Complete')
            then (${refusals('a', 'b.service_id')})[1] end,
          'late_minutes', ${REPORTED_DELAY}, 'last_call', ${LAST_CALL},
          'booking_id', b.id, 'booking_version', b.version, 'booking_status', b.status,
          'payment_status', b.payment_status, 'payment_responsibility', b.payment_responsibility, 'amount', b.amount,
          ${FIELDS}, 'partner_id', p.id, 'partner_name', p.name, 'service_id', s.id, 'service_name', ${SOLD_NAME},
          'service_name_ar', ${SOLD_NAME_AR}, 'contact_id', c.id, 'contact_name', c.name, 'phone', c.phone,
          'address_id', d.id, 'latitude', d.latitude::text, 'longitude', d.longitude::text,
          ${TEXTS_OF_ADDRESS}
          ) order by a.starts_at, a.id), '[]')
        from held a
        join shown t on t.id = a.team_id
        join bookings b on b.id = a.booking_id
        join partners p on p.id = b.partner_id
        join services s on s.id = b.service_id
        join contacts c on c.id = b.contact_id
        join addresses d on d.id = b.address_id)
    ) as board`,
});

/**
 * Teams with what holds them between two instants: the active ones, or those that serve the zone, and others that have an
 * appointment there. Their appointments of all zones, without the cancelled ones, and the slots that customers hold now.
 */
export async function loadBoard(
  db: Queryable,
  now: Instant,
  period: { from: Instant; until: Instant; zoneId: string | null },
): Promise<BoardRows> {
  return (await first(db, LOAD_BOARD, { ...period, now }))!.board;
}
