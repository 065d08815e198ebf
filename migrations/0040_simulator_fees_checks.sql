-- compatible since: 0.1.0
-- Looks at every row without keeping others waiting (0039).

alter table simulator_runs validate constraint simulator_runs_script_check;
alter table simulator_steps validate constraint simulator_steps_action_check;
