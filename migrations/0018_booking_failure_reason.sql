-- compatible since: 0.1.0
-- Why a booking has failed: a code of its payment, or the operator's text. Also after it was cancelled.

alter table bookings add column failure_reason text;
