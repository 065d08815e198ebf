-- compatible since: 0.1.0
-- Messages follow the difference between what a customer was told and what is so: what each has told, the language of
-- a contact, and whether it wants messages.

alter table customer_messages
  add column late_minutes integer, -- the delay that LATE tells
  add column left_at timestamptz, -- the departure that ON_THE_WAY tells
  drop constraint customer_messages_kind_check,
  add constraint customer_messages_kind_check check (kind in ('BOOKED', 'MOVED', 'DAY_BEFORE', 'ON_THE_WAY', 'NOT_YET',
    'LATE', 'ANOTHER_VISIT', 'CANCELLED', 'NOT_DONE', 'UNPAID', 'DONE')) not valid;

alter table partners
  drop constraint partners_customer_messages_check,
  add constraint partners_customer_messages_check
    check (customer_messages <@ array['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'LATE', 'DONE']) not valid;

alter table contacts
  add column language text,
  add column messages_stopped text,
  add constraint contacts_language_check check (language in ('ar', 'en')) not valid,
  add constraint contacts_messages_stopped_check check (messages_stopped in ('STOP', 'NOT_ME')) not valid;

-- The start of the visit that the message with the link told.
alter table payments add column told_starts_at timestamptz;
