-- compatible since: 0.1.0
-- refuses: changes by operators and crews, at 1000 rows of audit_log a second
-- Texts about bookings, beside the audit log, which has their hash: erasing deletes them, and the chain still verifies
-- (docs/decisions/roles-and-audit.md).

create table audit_texts (
  entry_id uuid primary key, -- of audit_log
  booking_id uuid not null,
  salt bytea not null default uuid_send(gen_random_uuid()), -- of the hash, by which a short text could be guessed
  before jsonb,
  after jsonb
);
create index audit_texts_booking_id_idx on audit_texts (booking_id);

-- A state of a booking or an appointment without its texts, which are moved to audit_texts, and without names, phones
-- and addresses, which entries about appointments had.
create function pg_temp.split_texts(inout state jsonb, out texts jsonb) language plpgsql as $$
declare
  v_name text;
  v_path text[];
begin
  state := state - array['contact', 'address'];
  foreach v_name in array array['notes', 'statusNotes', 'reason', 'forcedBecause', 'correctedBecause', 'failureReason'] loop
    if jsonb_typeof(state -> v_name) = 'string' then
      texts := coalesce(texts, '{}') || jsonb_build_object(v_name, state -> v_name);
      state := state - v_name;
    end if;
  end loop;
  for v_path in select path from (values (array['cancellation', 'notes']), (array['refundDecision', 'reason'])) as p (path) loop
    if jsonb_typeof(state #> v_path) = 'string' then
      texts := coalesce(texts, '{}') || jsonb_build_object(v_path[1], jsonb_build_object(v_path[2], state #> v_path));
      state := state #- v_path;
    end if;
  end loop;
end
$$;

-- audit_hash of functions.sql, which a new database does not have yet.
create function pg_temp.hash_of(entry audit_log) returns bytea language sql as $$
  select sha256(coalesce(entry.previous_hash, '') || convert_to((jsonb_build_array(
    entry.number, entry.id, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor, entry.action, entry.target,
    entry.before, entry.after
  ) || case when entry.group_id is null then '[]' else jsonb_build_array(entry.group_id) end)::text, 'UTF8'))
$$;

-- From the first entry with personal data on the chain is computed anew, while operators' changes are refused; others do not
-- write to the log. An entry records it, with the head of before. A log without personal data stays as it is.
do $$
declare
  v_first bigint;
  v_old audit_log;
  v_new audit_log;
  v_last audit_log; -- as it was
  v_previous bytea;
  v_broken bigint;
  v_count bigint := 0;
  v_booking uuid;
  v_before record;
  v_after record;
  v_salt bytea;
begin
  select min(a.number) into v_first
  from audit_log a, pg_temp.split_texts(a.before) b, pg_temp.split_texts(a.after) c
  where a.target ~ '^(booking|appointment):'
    and (b.state is distinct from a.before or c.state is distinct from a.after);
  if v_first is null then return; end if;

  alter table audit_log disable trigger audit_log_append_only;
  grant update on audit_log to current_user;
  select * into v_last from audit_log where number = v_first - 1;
  v_previous := v_last.hash;
  for v_old in select * from audit_log where number >= v_first order by number loop
    -- What was changed before keeps being found.
    if v_broken is null and (v_old.hash is distinct from pg_temp.hash_of(v_old)
      or v_old.previous_hash is distinct from v_last.hash) then v_broken := v_old.number; end if;
    v_last := v_old;
    v_new := v_old;
    v_new.previous_hash := v_previous;
    if v_old.target ~ '^(booking|appointment):' then
      select * into v_before from pg_temp.split_texts(v_old.before);
      select * into v_after from pg_temp.split_texts(v_old.after);
      v_new.before := v_before.state;
      v_new.after := v_after.state;
      v_booking := coalesce(v_old.after ->> 'bookingId', v_old.before ->> 'bookingId',
        substring(v_old.target from '^booking:(.*)$'))::uuid;
      if v_booking is not null and coalesce(v_before.texts, v_after.texts) is not null then
        insert into audit_texts (entry_id, booking_id, before, after)
          values (v_old.id, v_booking, v_before.texts, v_after.texts) returning salt into v_salt;
        -- audit_texts_hash of functions.sql.
        v_new.after := coalesce(v_new.after, '{}') || jsonb_build_object('textsHash', encode(sha256(
          v_salt || convert_to(jsonb_build_array(v_before.texts, v_after.texts)::text, 'UTF8')), 'hex'));
      end if;
    end if;
    v_new.hash := pg_temp.hash_of(v_new);
    v_previous := v_new.hash;
    update audit_log set before = v_new.before, after = v_new.after, previous_hash = v_new.previous_hash,
      hash = v_new.hash where id = v_new.id;
    v_count := v_count + 1;
  end loop;
  alter table audit_log enable trigger audit_log_append_only;
  -- Of the table, which includes its columns.
  revoke update on audit_log from current_user;
  grant update (number, previous_hash, hash) on audit_log to current_user;

  insert into audit_log (at, actor, action, target, after)
  values (v_last.at, 'migration', 'audit.rechain', 'audit:log', jsonb_strip_nulls(jsonb_build_object(
    'entries', v_count, 'previousHead', v_last.number || ':' || encode(v_last.hash, 'hex'),
    'head', v_last.number || ':' || encode(v_previous, 'hex'), 'brokenAt', v_broken)));
end
$$;

drop function pg_temp.split_texts(jsonb);
drop function pg_temp.hash_of(audit_log);
