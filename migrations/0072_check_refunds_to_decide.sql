-- Nothing waits for this look at the rows.
alter table payments validate constraint payments_to_decide_check;
alter table payments validate constraint payments_decision_check;
