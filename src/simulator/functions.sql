-- Sandbox only (docs/decisions/simulator.md).

-- Claims the next step of each run that is due. A claim that its worker does not end, expires.
create or replace function claim_simulator_steps(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_limit integer
) returns table (
  run_id uuid, number integer, action text, appointment_status text, slot jsonb, tries integer, lease uuid,
  booking_id uuid, partner_id uuid
)
language plpgsql as $$
#variable_conflict use_column
declare
  v_real_now timestamptz;
begin
  v_real_now := clock_timestamp();
  return query
  with due as (
    select s.run_id, s.number from simulator_steps s
    where s.status = 'WAITING' and s.due_at <= p_now and (s.leased_until is null or s.leased_until <= v_real_now)
      and not exists (
        select 1 from simulator_steps before
        where before.run_id = s.run_id and before.number < s.number and before.status = 'WAITING'
      )
    order by s.due_at, s.run_id limit p_limit for update skip locked
  ), claimed as (
    update simulator_steps s set lease = p_lease, leased_until = v_real_now + make_interval(secs => p_lease_seconds),
      tries = s.tries + 1
    from due where s.run_id = due.run_id and s.number = due.number
    returning s.*
  )
  select c.run_id, c.number, c.action, c.appointment_status, c.slot, c.tries, c.lease, r.booking_id, r.partner_id
  from claimed c join simulator_runs r on r.id = c.run_id;
end
$$;

-- Gives a delivery that was claimed the next fault of its subscription, in a sandbox. Returns the kind of the fault
-- with which it is sent, null for none, or 'kept': it is not sent now, and its claim has ended.
create or replace function take_webhook_fault(
  p_now timestamptz, p_delivery_id uuid, p_subscription_id uuid, p_booking_id uuid, p_hold_seconds integer
) returns text
language plpgsql
as $$
declare
  v_treated webhook_faulty_deliveries;
  v_fault webhook_faults;
begin
  select * into v_treated from webhook_faulty_deliveries where delivery_id = p_delivery_id;
  if v_treated.state = 'TAKEN' then
    -- A worker died before it saved the result.
    return v_treated.kind;
  elsif v_treated.state = 'HELD' then
    update webhook_faulty_deliveries set state = 'DONE' where delivery_id = p_delivery_id;
  elsif v_treated.state is null then
    select * into v_fault from webhook_faults where subscription_id = p_subscription_id
      order by set_at, kind limit 1 for update;
  end if;
  if v_fault.kind is not null then
    update webhook_faults set remaining = remaining - 1
      where subscription_id = p_subscription_id and kind = v_fault.kind and remaining > 1;
    if not found then
      delete from webhook_faults where subscription_id = p_subscription_id and kind = v_fault.kind;
    end if;
    insert into webhook_faulty_deliveries (delivery_id, subscription_id, booking_id, kind, state, treated_at)
    values (p_delivery_id, p_subscription_id, p_booking_id, v_fault.kind,
      case when v_fault.kind = 'lose' then 'DONE' when v_fault.kind in ('delay', 'reorder') then 'HELD' else 'TAKEN' end,
      p_now);
    if v_fault.kind = 'lose' then
      -- A failed attempt without a request. A manual retry sends it.
      update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = p_now, status_code = null,
        error = 'SIMULATED_LOSS', attempt_count = attempt_count + 1,
        attempts = attempts || jsonb_build_object('attemptedAt', floor(extract(epoch from p_now) * 1000),
          'durationMs', 0, 'statusCode', null, 'error', 'SIMULATED_LOSS', 'responseBody', '')
        where id = p_delivery_id;
    elsif v_fault.kind in ('delay', 'reorder') then
      update webhook_pending set lease = null, leased_until = null where delivery_id = p_delivery_id;
      update webhook_deliveries
        set due_at = p_now + make_interval(secs => coalesce(v_fault.delay_seconds, p_hold_seconds))
        where id = p_delivery_id;
    end if;
    if v_fault.kind in ('lose', 'delay', 'reorder') then
      return 'kept';
    end if;
  end if;
  -- It is sent and overtakes the held ones of its booking.
  update webhook_faulty_deliveries set overtaken_by = p_delivery_id
    where subscription_id = p_subscription_id and state = 'HELD' and kind = 'reorder' and booking_id = p_booking_id
      and overtaken_by is null;
  return v_fault.kind;
end
$$;
