-- What one request did to several resources is one group of entries. The group is in the entry's hash; entries without
-- one keep the hash that they have.
alter table audit_log add column group_id uuid;
create index audit_log_group_idx on audit_log (group_id) where group_id is not null;

create or replace function audit_hash(entry audit_log) returns bytea language sql immutable as $$
  select sha256(coalesce(entry.previous_hash, '') || convert_to((jsonb_build_array(
    entry.number, entry.id, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor, entry.action, entry.target,
    entry.before, entry.after
  ) || case when entry.group_id is null then '[]' else jsonb_build_array(entry.group_id) end)::text, 'UTF8'))
$$;

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    -- The one change there is: a new row takes its place in the chain.
    if old.number is null and new.number is not null
      and row(new.id, new.position, new.at, new.actor, new.action, new.target, new.before, new.after, new.group_id)
        is not distinct from
        row(old.id, old.position, old.at, old.actor, old.action, old.target, old.before, old.after, old.group_id)
    then return new; end if;
  end if;
  raise exception 'the audit log can only be added to' using errcode = 'insufficient_privilege';
end $$;
