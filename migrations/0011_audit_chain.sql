-- The audit log can only be added to, and tells when somebody did otherwise: rows are numbered without a gap in the
-- order of their commits, and each carries the hash of the one before it (docs/decisions/audit-chain.md).

alter table audit_log
  add column number bigint constraint audit_log_number_key unique,
  add column previous_hash bytea,
  add column hash bytea;

create function audit_hash(entry audit_log) returns bytea language sql immutable as $$
  select sha256(coalesce(entry.previous_hash, '') || convert_to(jsonb_build_array(
    entry.number, entry.id, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor, entry.action, entry.target,
    entry.before, entry.after)::text, 'UTF8'))
$$;

create function chain_audit_entry() returns trigger language plpgsql as $$
declare
  entry audit_log;
  newest record;
begin
  -- Deferred to the commit, when the transaction waits for nothing else: nobody can wait for it in a circle.
  perform pg_advisory_xact_lock(11, 0);
  select number, hash into newest from audit_log where number is not null order by number desc limit 1;
  select * into entry from audit_log where id = new.id;
  entry.number := coalesce(newest.number, 0) + 1;
  entry.previous_hash := newest.hash;
  update audit_log set number = entry.number, previous_hash = entry.previous_hash, hash = audit_hash(entry)
    where id = entry.id;
  return null;
end $$;

-- Those that are there already, in the order in which they were written.
do $$
declare
  entry audit_log;
  newest bytea;
  counted bigint := 0;
begin
  for entry in select * from audit_log order by position loop
    counted := counted + 1;
    entry.number := counted;
    entry.previous_hash := newest;
    newest := audit_hash(entry);
    update audit_log set number = counted, previous_hash = entry.previous_hash, hash = newest where id = entry.id;
  end loop;
end $$;

create constraint trigger audit_log_chain after insert on audit_log
  deferrable initially deferred for each row execute function chain_audit_entry();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    -- The one change there is: a new row takes its place in the chain.
    if old.number is null and new.number is not null
      and row(new.id, new.position, new.at, new.actor, new.action, new.target, new.before, new.after)
        is not distinct from row(old.id, old.position, old.at, old.actor, old.action, old.target, old.before, old.after)
    then return new; end if;
  end if;
  raise exception 'the audit log can only be added to' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();

revoke update, delete, truncate on audit_log from public, current_user;
grant update (number, previous_hash, hash) on audit_log to current_user;
