-- Results are written together. One after the other each cost a statement of its own for the lease and one for the delivery, a
-- third of what a delivery takes of PostgreSQL. As in 0039 otherwise.
create or replace function settle_results(
  p_now timestamptz, p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[]
) returns void
language plpgsql
-- By their keys, whatever the planner knew of the tables when it planned. Joined only, an index could be read from end to end
-- for its order; so the keys are named as a list besides.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_last integer := cardinality(p_retry_after_seconds);
  v_subscriptions uuid[];
  v_successes boolean[];
begin
  with ended as (
    delete from webhook_leases l
    using unnest(p_ids, p_leases, p_status_codes, p_errors, p_attempts) as result (id, lease, status_code, error, attempt)
    where l.delivery_id = any (p_ids) and l.delivery_id = result.id and l.lease = result.lease
    returning result.*
  ), settled as (
    update webhook_deliveries d set
      attempt_count = d.attempt_count + 1,
      attempts = d.attempts || ended.attempt,
      status_code = ended.status_code,
      error = ended.error,
      status = case when ended.error is null then 'DELIVERED' when d.retries >= v_last then 'FAILED' else 'PENDING' end,
      due_at = case when ended.error is not null and d.retries < v_last
        then p_now + make_interval(secs => p_retry_after_seconds[d.retries + 1]) end,
      finished_at = case when ended.error is null or d.retries >= v_last then p_now end,
      retries = d.retries + case when ended.error is null then 0 else 1 end
    from ended
    -- Pending, but not in the words of the queue's index, which the planner would read if it was seen empty (0039).
    where d.id = any (p_ids) and d.id = ended.id and d.due_at is not null
    returning d.subscription_id, ended.error is null as success
  )
  select array_agg(subscription_id), array_agg(success) into v_subscriptions, v_successes from settled;
  with run as (
    select subscription_id, bool_or(success) as any_success, count(*)::integer as failures
    from unnest(v_subscriptions, v_successes) as result (subscription_id, success) group by subscription_id
  ), locked as materialized (
    -- An endpoint that is well has nothing to write: no row of all its deliveries that is changed every time. In one order, so
    -- that two workers cannot wait for each other.
    select s.id, run.any_success, run.failures
    from run join webhook_subscriptions s on s.id = run.subscription_id
    where not run.any_success or s.failures_in_a_row > 0
    order by s.id for no key update of s
  )
  update webhook_subscriptions s set
    failures_in_a_row = case when locked.any_success then 0 else s.failures_in_a_row + locked.failures end,
    pauses = 0, paused_until = null
  from locked where s.id = locked.id;
end
$$;
