import { type Instant, riyadhIsoOrNull } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import { previousSecretUntil } from '../partners/key-rules.ts';
import type { KeyRow, PartnerRow } from '../partners/table.ts';
import { Key, Partner } from './account-schema.ts';

/** Views of the partner and its keys, apart from the operator's: fields that are added there do not appear here. */

export const portalPartnerView = (partner: PartnerRow) => viewBy(Partner, partner);

/** A key without its secret and the hash. */
export const portalKeyView = (key: KeyRow, now: Instant) =>
  viewBy(Key, key, { previousExpiresAt: riyadhIsoOrNull(previousSecretUntil(key, now)) });
