-- How many bookings a partner has of a status on a date, so that a list need not count them for its total
-- (docs/decisions/list-and-as-of.md).
create table booking_totals (
  partner_id uuid not null,
  status text not null,
  service_date date not null,
  bookings bigint not null,
  constraint booking_totals_pkey primary key (partner_id, status, service_date)
) with (fillfactor = 70);

-- The same by month: a list over years adds up a row for each month instead of each day.
create table booking_month_totals (
  partner_id uuid not null,
  status text not null,
  month date not null, -- its first day
  bookings bigint not null,
  constraint booking_month_totals_pkey primary key (partner_id, status, month),
  constraint booking_month_totals_month_check check (extract(day from month) = 1)
) with (fillfactor = 70);

-- What has changed since, in rows of its own: bookings of one partner do not wait for each other. A total is the sum of
-- both, exact at any moment; fold_booking_totals moves the changes over.
create table booking_total_changes (
  partner_id uuid not null,
  status text not null,
  service_date date not null,
  change smallint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index booking_total_changes_partner_idx on booking_total_changes (partner_id);

create function note_booking_total() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into booking_total_changes values (old.partner_id, old.status, old.service_date, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into booking_total_changes values (new.partner_id, new.status, new.service_date, 1);
  end if;
  return null;
end
$$;
create trigger bookings_total_made after insert or delete on bookings
  for each row execute function note_booking_total();
create trigger bookings_total_moved after update on bookings
  for each row when ((old.partner_id, old.status, old.service_date) is distinct from
    (new.partner_id, new.status, new.service_date))
  execute function note_booking_total();

-- Moves up to p_limit changes into the totals and answers how many. Of two at once, each takes others.
create function fold_booking_totals(p_limit integer) returns integer
language plpgsql as $$
declare
  v_folded integer;
begin
  with taken as (
    select ctid from booking_total_changes limit p_limit for update skip locked
  ), gone as (
    delete from booking_total_changes where ctid = any (array(select ctid from taken)) returning *
  ), days as (
    insert into booking_totals as t (partner_id, status, service_date, bookings)
    select partner_id, status, service_date, sum(change) from gone
    group by partner_id, status, service_date having sum(change) <> 0
    -- In one order, so that two at once cannot wait for each other.
    order by partner_id, status, service_date
    on conflict on constraint booking_totals_pkey do update set bookings = t.bookings + excluded.bookings
  ), months as (
    insert into booking_month_totals as t (partner_id, status, month, bookings)
    select partner_id, status, month, sum(change)
    from gone, lateral (select date_trunc('month', service_date::timestamp)::date as month) of
    group by partner_id, status, month having sum(change) <> 0
    order by partner_id, status, month
    on conflict on constraint booking_month_totals_pkey do update set bookings = t.bookings + excluded.bookings
  )
  select count(*) into v_folded from gone;
  return v_folded;
end
$$;
