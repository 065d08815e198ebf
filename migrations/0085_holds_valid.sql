-- compatible since: 0.1.0
alter table holds validate constraint holds_place_check;
alter table holds validate constraint holds_reference_check;
