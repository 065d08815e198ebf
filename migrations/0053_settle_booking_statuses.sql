-- What has changed while it was filled in: another status has its own row already, another date is put right. The bookings are
-- held meanwhile, so that none of these changes again.
with outdated as materialized (
  select s.partner_id, s.status, s.booking_id
  from booking_statuses s join bookings b on b.id = s.booking_id
  where (s.partner_id, s.status) <> (b.partner_id, b.status)
  for share of b
)
delete from booking_statuses s using outdated o
where s.partner_id = o.partner_id and s.status = o.status and s.booking_id = o.booking_id;

with moved as materialized (
  select b.partner_id, b.status, b.service_date, b.created_at, b.id
  from booking_statuses s join bookings b on b.id = s.booking_id and b.status = s.status
  where (s.service_date, s.created_at) <> (b.service_date, b.created_at)
  for share of b
)
update booking_statuses s set service_date = m.service_date, created_at = m.created_at
from moved m where s.partner_id = m.partner_id and s.status = m.status and s.booking_id = m.id;

-- Nothing reads by them any more, and with the status in no index a change of it writes none.
drop index bookings_partner_status_idx;
drop index bookings_partner_status_id_idx;
drop index bookings_waiting_idx;
