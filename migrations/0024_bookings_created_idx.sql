-- compatible since: 0.1.0
-- The new index takes the place of the old one, which has fewer columns.

drop index bookings_partner_created_idx;
alter index bookings_partner_filters_idx rename to bookings_partner_created_idx;
