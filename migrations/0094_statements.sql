-- compatible since: 0.1.0
-- Statements: what partners owe for a month. Issued ones never change (src/statements/functions.sql).

-- The operator's side: who it is, and its VAT. At most one row.
create table statement_settings (
  is_only boolean primary key default true check (is_only),
  seller jsonb not null,
  vat_rates jsonb not null, -- [{"from": date, "percent": number}]
  categories jsonb not null, -- {"VISIT": "S", "FEE": "S"}
  updated_at timestamptz not null
);

-- Partners that get statements.
create table statement_accounts (
  partner_id uuid primary key references partners,
  buyer jsonb not null,
  opened_on date not null, -- service dates before it are on no statement
  updated_at timestamptz not null
);

create table statements (
  id uuid primary key,
  partner_id uuid not null references partners,
  month date not null check (extract(day from month) = 1),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'ISSUED')),
  -- null: a draft; so are the next ones.
  number bigint unique,
  issued_at timestamptz,
  issued_by text,
  seller jsonb,
  buyer jsonb,
  -- Of its lines.
  totals jsonb not null,
  -- Later changes of bookings are of this transaction or a newer one, as long as the data has this history.
  seen_from xid8,
  history bigint,
  created_at timestamptz not null,
  created_by text not null,
  check ((status = 'ISSUED') = (number is not null and issued_at is not null and issued_by is not null
    and seller is not null and buyer is not null and seen_from is not null and history is not null)),
  unique (partner_id, month)
);

create table statement_lines (
  statement_id uuid not null references statements on delete cascade,
  line int not null,
  booking_id uuid not null references bookings,
  kind text not null check (kind in ('VISIT', 'FEE', 'WAIVER', 'COLLECTED', 'GIVEN_BACK')),
  tracking_reference text not null,
  external_reference text,
  service_id uuid not null,
  service_name text not null,
  service_name_ar text,
  service_date date not null,
  gross numeric(12, 2) not null check (gross <> 0), -- SAR, as are the next ones; a correction may be negative
  vat numeric(12, 2) not null,
  vat_category text, -- null: money of customers, no supply to the partner
  vat_percent numeric(5, 2),
  formula int not null, -- version of the rules that it was computed by
  document text check (document in ('INVOICE', 'CREDIT')), -- null: of none
  corrects uuid references statements, -- the last one that told of the booking
  primary key (statement_id, line),
  check ((document is null) = (vat_category is null) and (vat_category is null) = (vat_percent is null)),
  check (document is distinct from 'CREDIT' or corrects is not null)
);
create index statement_lines_booking_idx on statement_lines (booking_id);

-- The files of an issued statement, in parts.
create table statement_files (
  statement_id uuid not null references statements on delete cascade,
  format text not null check (format in ('csv', 'json', 'html')),
  part int not null,
  content bytea not null,
  primary key (statement_id, format, part)
);

-- What was marked as paid.
create table statement_payments (
  statement_id uuid primary key references statements,
  reference text not null,
  paid_on date not null,
  marked_by text not null,
  marked_at timestamptz not null
);
