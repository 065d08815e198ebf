import { PERSONAL_BOOKINGS, PERSONAL_HOLDS } from '../bookings/personal-queries.ts';
import { PERSONAL_ADDRESSES, PERSONAL_CONTACTS } from '../contacts/personal-queries.ts';
import { PERSONAL_STEPS } from '../crew/table.ts';
import { PERSONAL_MESSAGES } from '../customers/table.ts';
import { PERSONAL_AUDIT } from '../db/audit.ts';
import { PERSONAL_TEXTS } from '../db/audit-texts.ts';
import type { PersonalTable } from '../db/personal.ts';
import { PERSONAL_PAYMENTS } from '../payments/table.ts';
import { PERSONAL_REQUESTS } from '../requests/personal-queries.ts';
import { PERSONAL_SERIES } from '../series/table.ts';
import { PERSONAL_STATEMENTS } from '../statements/table.ts';
import { PERSONAL_DELIVERIES } from '../webhooks/table.ts';
import { PRIVACY_REQUESTS } from './table.ts';

/** The tables with personal data, in the order of the erasure. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  PERSONAL_REQUESTS,
  PERSONAL_HOLDS,
  PERSONAL_ADDRESSES,
  ...PERSONAL_BOOKINGS,
  PERSONAL_SERIES,
  PERSONAL_STEPS,
  ...PERSONAL_PAYMENTS,
  ...PERSONAL_STATEMENTS,
  PERSONAL_DELIVERIES,
  PERSONAL_AUDIT,
  PERSONAL_TEXTS,
  PERSONAL_MESSAGES,
  {
    table: 'privacy_requests',
    columns: PRIVACY_REQUESTS,
    what: 'the number while a request is open, then a keyed hash of it; why, without names',
    until: 'for good',
  },
  // Her name and number last: what precedes may look for them.
  PERSONAL_CONTACTS,
];
