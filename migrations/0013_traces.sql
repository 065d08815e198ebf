-- The trace that an event belongs to, as the header `traceparent` has it; null: it was not traced. A traced transaction
-- says which it is (src/runtime/traced-database.ts), so no statement that writes events needs to know of it. Added
-- without a default first: no row is rewritten.

alter table events add column trace_parent text;
alter table events alter column trace_parent set default nullif(current_setting('partner_booking.trace_parent', true), '');
