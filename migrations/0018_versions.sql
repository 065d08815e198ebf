-- Whoever changes something says which version of it they saw (If-Match), and a change made meanwhile is not overwritten.
-- updated_at is no version: business time may stand still or go back, and two changes may have the same millisecond.
create function count_version() returns trigger
language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;

alter table bookings add column version integer not null default 1;
alter table appointments add column version integer not null default 1;
alter table teams add column version integer not null default 1;
alter table zones add column version integer not null default 1;

create trigger bookings_version before update on bookings for each row execute function count_version();
create trigger appointments_version before update on appointments for each row execute function count_version();
create trigger teams_version before update on teams for each row execute function count_version();
create trigger zones_version before update on zones for each row execute function count_version();
