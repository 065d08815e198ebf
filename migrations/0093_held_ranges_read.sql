-- Held ranges are read with each question for free slots, and the services at an address too. Nothing is kept of them, so
-- nothing has to be told when they change.
drop trigger appointments_busy_gone on appointments;
drop trigger appointments_busy_made on appointments;
drop function note_busy_change();
drop function note_busy_days();
drop trigger addresses_catalogue_change on addresses;
drop trigger partners_language_change on partners;

-- What has ended is not paid for any more.
drop trigger appointments_moved on appointments;
drop function note_appointments_moved();
create function expire_payments_of_ended() returns trigger
language plpgsql
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off set enable_nestloop to on as $$
begin
  update payments p set expires_at = least(p.expires_at, n.updated_at), due_at = least(p.due_at, n.updated_at),
    news = p.news + 1, updated_at = n.updated_at
  from new_rows n join bookings b on b.id = n.booking_id
  where n.status in ('Finished', 'Completed', 'Cannot Complete', 'Cancelled')
    and b.status = 'waiting payment' and p.booking_id = b.id and p.status in ('CREATED', 'OPEN');
  return null;
end
$$;
create trigger appointments_ended after update on appointments
  referencing new table as new_rows for each statement execute function expire_payments_of_ended();

drop table busy_changes;
