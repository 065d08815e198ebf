import type { Generated, Selectable } from 'kysely';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { ChosenKind } from './account-rules.ts';
import type { KeyStatus, Permission } from './key-rules.ts';
import type { ComingPrices } from './price-rules.ts';
import type { PaymentResponsibility } from './rules.ts';

export type PartnerTable = {
  id: Generated<string>;
  /** Unique, case-insensitively. */
  name: string;
  status: Generated<'ACTIVE' | 'SUSPENDED'>;
  payment_responsibility: Generated<PaymentResponsibility>;
  /** Requests in a window, for each key; null: no limit. */
  rate_limit_per_minute: number | null;
  /** Slots that it may hold at once. */
  max_holds: Generated<number>;
  allowed_domains: Generated<string[]>;
  sandbox_domains: Generated<string[]>;
  allowed_webhook_domains: Generated<string[]>;
  require_https_webhooks: Generated<boolean>;
  /** true: only the services in partner_services may be booked. */
  service_restricted: Generated<boolean>;
  /** Counts the changes of that and of the partner's rows in partner_services. */
  services_version: Generated<number>;
  /** Whether the partner's customers have a page for each booking, and how it looks and reaches the partner. */
  tracking_page: Generated<boolean>;
  /** `#rrggbb`; null: the service's. */
  page_colour: string | null;
  contact_text_en: string | null;
  contact_text_ar: string | null;
  contact_number: string | null;
  /** The messages that its customers get. */
  customer_messages: Generated<ChosenKind[]>;
  /** The language of service names in responses. */
  language: Generated<'en' | 'ar'>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type KeyTable = {
  id: Generated<string>;
  partner_id: string;
  name: string;
  /** SHA-256 of the key. */
  hash: Buffer;
  prefix: string;
  last4: string;
  /** The hash of the secret before the last rotation, while it is valid. */
  previous_hash: Buffer | null;
  previous_expires_at: NullableTimestamp;
  permissions: Permission[];
  /** Addresses and CIDRs; empty: any address. */
  ip_allowlist: Generated<string[]>;
  expires_at: NullableTimestamp;
  status: Generated<KeyStatus>;
  last_used_at: NullableTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** `price` is SAR as an exact decimal, null: the service's default price. */
export type PartnerServiceTable = {
  partner_id: string;
  service_id: string;
  /** Until a coming price has begun. */
  price: string | null;
  coming_prices: Generated<ComingPrices>;
};

export type PartnerRow = Selectable<PartnerTable>;
export type KeyRow = Selectable<KeyTable>;

export type PartnerServiceRow = Omit<Selectable<PartnerServiceTable>, 'partner_id'>;
export type PartnerServicesRow = { version: number; restricted: boolean; services: PartnerServiceRow[] };
