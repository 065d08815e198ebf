import { addDays, type CalendarDate, formatMinutes } from '../src/base/clock.ts';

/**
 * Shared fixtures of benches: one service and one zone, and teams that work every day from 08:00 to 20:00, which has
 * five places for visits of two hours with half an hour of travel between them.
 */
export const PLACES = 5;
export const FIRST_START = 8 * 60;
export const DURATION = 120;
export const BUFFER = 30;

export type Slot = { date: CalendarDate; startAt: string; endAt: string };

/** Common table expressions: everything above for that many teams, and a customer of the preceding `partner`. */
export const town = (teams: string, customer: { phone: string; name: string; source: string }): string => `
  category as (
    insert into categories (name_en, name_ar, created_at, updated_at) values ('Cleaning', 'تنظيف', now(), now())
    returning id
  ), service as (
    insert into services (category_id, name, duration_minutes, default_price, minimum_notice_minutes,
      booking_horizon_days, created_at, updated_at)
    select id, 'Home cleaning', ${DURATION}, 150, 120, 700, now(), now() from category returning id
  ), zone as (
    insert into zones (name, area, area_geojson, created_at, updated_at)
    values ('Riyadh', '((46.4,24.4),(47,24.4),(47,25),(46.4,25))', '{}', now(), now()) returning id
  ), served as (
    insert into zone_services (zone_id, service_id) select zone.id, service.id from zone, service
  ), team as (
    insert into teams (name, travel_buffer_minutes, created_at, updated_at)
    select 'Team ' || n, ${BUFFER}, now(), now() from generate_series(1, ${teams}) n returning id
  ), placed as (
    insert into team_zones (team_id, zone_id) select team.id, zone.id from team, zone
  ), skilled as (
    insert into team_services (team_id, service_id) select team.id, service.id from team, service
  ), shift as (
    insert into team_shifts (team_id, weekday, start_minute, end_minute)
    select team.id, weekday, 480, 1200 from team, generate_series(1, 7) weekday
  ), contact as (
    insert into contacts (partner_id, phone, name, utm_source, created_at)
    select id, '${customer.phone}', '${customer.name}', '${customer.source}', now() from partner returning id, partner_id
  ), address as (
    insert into addresses (contact_id, partner_id, latitude, longitude, created_at)
    select id, partner_id, 24.7136, 46.6753, now() from contact returning id
  )`;

/** All places of the days ahead except the busy one. */
export function freeSlots(today: CalendarDate, lastDay: number, busyDay: number): Slot[] {
  const slots: Slot[] = [];
  for (let day = 1; day <= lastDay; day++) {
    if (day === busyDay) continue;
    for (let place = 0; place < PLACES; place++) {
      const start = FIRST_START + place * (DURATION + BUFFER);
      slots.push({
        date: addDays(today, day),
        startAt: formatMinutes(start),
        endAt: formatMinutes(start + DURATION),
      });
    }
  }
  return slots;
}

/** In place, and returned. */
export function shuffle<T>(items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}
