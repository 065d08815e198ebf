-- What workers do to deliveries and payments has neither an event nor an audit entry. These numbers grow with it, so that
-- streams of changes notice (src/operator/change-stream.ts). Sequences, because nobody waits for their locks; a number can
-- be seen before its change is committed.
create sequence delivery_changes;
create sequence payment_changes;
-- Until its first number is taken a sequence looks as after it.
select nextval('delivery_changes'), nextval('payment_changes');

create function note_change() returns trigger
language plpgsql as $$
begin
  perform nextval(tg_argv[0]::regclass);
  return null;
end
$$;

create trigger webhook_deliveries_note_change after update on webhook_deliveries
  for each row when (new.status <> old.status or new.attempt_count <> old.attempt_count)
  execute function note_change('delivery_changes');
create trigger payments_note_change after update on payments
  for each row when (new.status <> old.status or new.refund_status <> old.refund_status)
  execute function note_change('payment_changes');
