-- compatible since: 0.1.0
-- Prices from a date on: {date: number}, after the price beside them. A partner's may be null: from then on the default price.
alter table services add column coming_prices jsonb not null default '{}' check (jsonb_typeof(coming_prices) = 'object');
alter table partner_services add column coming_prices jsonb not null default '{}'
  check (jsonb_typeof(coming_prices) = 'object');
