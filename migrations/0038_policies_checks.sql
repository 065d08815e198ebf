-- compatible since: 0.1.0
-- Looks at every row without keeping others waiting (0037).

alter table bookings validate constraint bookings_policy_id_fkey;
alter table holds validate constraint holds_policy_id_fkey;
alter table appointments validate constraint appointments_outcome_check;
