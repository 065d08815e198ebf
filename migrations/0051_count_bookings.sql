-- As many as count(*) of a partner's bookings of the statuses, from and until the dates, where given: whole months by a row
-- for each status, the days before and after them, and what has changed since (0036). A function because its plans are kept
-- for all values: as a part of each list they were half of what PostgreSQL planned anew for it, 0.2 ms.
create function count_bookings(p_partner_id uuid, p_statuses text[], p_from date, p_to date) returns bigint
language plpgsql stable
set plan_cache_mode = force_generic_plan
as $$
declare
  -- The first months that begin on the first day or later, and after the last one.
  v_first_month date := date_trunc('month', (p_from - 1)::timestamp) + interval '1 month';
  v_month_after date := date_trunc('month', (p_to + 1)::timestamp);
  v_months bigint;
  v_before bigint := 0;
  v_after bigint := 0;
  v_changes bigint;
begin
  select coalesce(sum(bookings), 0) into v_months from booking_month_totals
    where partner_id = p_partner_id and status = any (p_statuses)
      and month >= coalesce(v_first_month, '-infinity') and month < coalesce(v_month_after, 'infinity');
  if p_from is not null then
    select coalesce(sum(bookings), 0) into v_before from booking_totals
      where partner_id = p_partner_id and status = any (p_statuses)
        and service_date >= p_from and service_date < least(v_first_month, p_to + 1);
  end if;
  if p_to is not null then
    select coalesce(sum(bookings), 0) into v_after from booking_totals
      where partner_id = p_partner_id and status = any (p_statuses)
        and service_date >= greatest(v_first_month, v_month_after) and service_date <= p_to;
  end if;
  select coalesce(sum(change), 0) into v_changes from booking_total_changes
    where partner_id = p_partner_id and status = any (p_statuses)
      and service_date >= coalesce(p_from, '-infinity') and service_date <= coalesce(p_to, 'infinity');
  return v_months + v_before + v_after + v_changes;
end
$$;
