-- compatible since: 0.1.0
-- Looks at every row without keeping others waiting (0043).

alter table addresses validate constraint addresses_check1;
alter table addresses validate constraint addresses_short_address_check;
alter table addresses validate constraint addresses_building_number_check;
alter table addresses validate constraint addresses_unit_check;
alter table addresses validate constraint addresses_floor_check;
alter table addresses validate constraint addresses_postal_code_check;
alter table addresses validate constraint addresses_directions_check;
