-- compatible since: 0.1.0
-- Fees are a ledger of what happened to them. A decision on a refund of before is its first entry, so that it can be lowered.

alter table bookings add column cancelled_for text check (cancelled_for = 'CUSTOMER');
alter table appointments add column work_reached text
  check (work_reached in ('In Progress', 'Finished', 'Completed'));

update bookings b
set fees = coalesce(b.fees, '[]') || jsonb_build_array(jsonb_build_object('action', 'decide', 'amount', p.kept_amount::text,
  'at', floor(extract(epoch from p.decided_at) * 1000), 'by', p.decided_by))
from payments p
where p.booking_id = b.id and b.status = 'canceled' and p.kept_amount is not null and p.decided_by <> 'policy';
