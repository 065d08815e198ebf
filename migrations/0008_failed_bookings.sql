-- What a failed booking gives up, and what becomes of a payment whose appointment ends without it.

-- ---------------------------------------------------------------------------
-- The external reference of a booking that has failed is free for good, whatever becomes of the booking later.

alter table bookings add column reference_released boolean not null default false;

update bookings b set reference_released = true
where status = 'failed'
  or (status = 'canceled' and exists (
    select 1 from events e where e.booking_id = b.id and e.event = 'booking.payment_failed'));

drop index bookings_external_reference_key;
create unique index bookings_external_reference_key on bookings (partner_id, external_reference)
  where external_reference is not null and not reference_released;

-- A trigger, so that it also holds for bookings that a process of the previous version fails.
create function release_reference() returns trigger
language plpgsql as $$
begin
  new.reference_released := true;
  return new;
end
$$;
create trigger bookings_release_reference before insert or update of status on bookings
  for each row when (new.status = 'failed') execute function release_reference();

-- ---------------------------------------------------------------------------
-- An appointment cannot end while its booking waits for payment: the booking is canceled instead. Where one has ended
-- all the same (by a process of the previous version), its link ends now: the worker closes it and fails the booking.

create function end_link_of_ended_appointment() returns trigger
language plpgsql as $$
begin
  update payments p set expires_at = least(p.expires_at, new.updated_at), due_at = least(p.due_at, new.updated_at),
    news = p.news + 1, updated_at = new.updated_at
  from bookings b
  where b.id = new.booking_id and b.status = 'waiting payment' and p.booking_id = b.id
    and p.status in ('CREATED', 'OPEN');
  return null;
end
$$;
create trigger appointments_end_link after update of status on appointments
  for each row when (new.status in ('Finished', 'Completed', 'Cannot Complete', 'Cancelled') and new.status <> old.status)
  execute function end_link_of_ended_appointment();

update payments p set expires_at = least(p.expires_at, a.updated_at), due_at = least(p.due_at, a.updated_at), news = p.news + 1
from bookings b join appointments a on a.booking_id = b.id
where p.booking_id = b.id and b.status = 'waiting payment' and p.status in ('CREATED', 'OPEN')
  and a.status in ('Finished', 'Completed', 'Cannot Complete', 'Cancelled');
