-- compatible since: 0.1.0
-- Scripts and steps about fees (docs/decisions/simulator.md).

alter table simulator_runs drop constraint simulator_runs_script_check,
  add constraint simulator_runs_script_check check (script in (
    'complete', 'cannot-complete', 'late-cancel', 'no-show', 'revisit', 'operator-moves', 'operator-cancels',
    'customer-pays', 'payment-fails', 'customer-pays-late', 'customer-declines', 'customer-declines-once'
  )) not valid;
alter table simulator_steps drop constraint simulator_steps_action_check,
  add constraint simulator_steps_action_check check (action in (
    'appointment', 'move', 'cancel', 'pay', 'decline', 'fail-payment', 'late-cancel', 'no-show', 'close', 'revisit'
  )) not valid;
