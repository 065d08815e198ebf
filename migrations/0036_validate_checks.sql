-- What 0025 added as NOT VALID. Looking at every row takes a lock that neither reading nor writing waits for.
alter table bookings validate constraint bookings_valid_check;
alter table appointments validate constraint appointments_valid_check;
alter table contacts validate constraint contacts_valid_check;
alter table addresses validate constraint addresses_valid_check;
