-- An operator may have the link sent once more: until that is done, when it was asked for. What was sent stays in
-- sent_at, so that a message that cannot be repeated does not fail the payment.
alter table payments add column resend_asked_at timestamptz;
