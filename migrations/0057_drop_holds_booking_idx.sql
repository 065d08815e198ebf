-- compatible since: 0.1.0
-- It served bookings that moved to the archive: others are never deleted.
drop index holds_booking_idx;
