import type { Instant } from '../base/clock.ts';
import { ApiError, orNotFound, throwIfInvalid } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db } from '../db/connection.ts';
import { partnerRows } from '../partners/account-queries.ts';
import {
  type AccountRow,
  findAccount,
  findLastIssued,
  findSettings,
  lockAccount,
  saveAccount as saveAccountRow,
  saveSettings as saveSettingsRow,
} from './queries.ts';
import type { SaveAccount, SaveSettings } from './schema.ts';
import { accountView, settingsView } from './view.ts';

/** Who issues statements and who gets them, and their VAT. What was issued keeps what was set then. */

/** Saves the operator's side whole. Throws VALIDATION_ERROR (two rates from one date). */
export async function saveSettings(db: Db, now: Instant, actor: Actor, input: SaveSettings) {
  const { seller, vatRates, vatCategories } = input;
  const isTwice = new Set(vatRates.map(({ from }) => from)).size < vatRates.length;
  throwIfInvalid(isTwice ? ['vatRates must have each from once'] : []);
  const rates = vatRates.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return db.transaction(async (tx) => {
    const before = await findSettings(tx);
    await saveSettingsRow(tx, now, { seller, vat_rates: rates, categories: vatCategories });
    const after = settingsView(await findSettings(tx));
    await audit(tx, now, {
      actor,
      action: 'statement-settings.update',
      target: 'statement:settings',
      before: settingsView(before),
      after,
    });
    return after;
  });
}

/**
 * Saves who a partner is on its statements, and from which service date on it gets them. Throws RESOURCE_NOT_FOUND and
 * INVALID_TRANSITION (another date after one was issued).
 */
export async function saveAccount(
  db: Db,
  now: Instant,
  actor: Actor,
  { partnerId, buyer, openedOn }: SaveAccount & { partnerId: string },
): Promise<AccountRow> {
  const { id } = await orNotFound(partnerRows.find(db, partnerId), 'Partner');
  return db.transaction(async (tx) => {
    const before = await lockAccount(tx, id);
    if (before !== null && before.opened_on !== openedOn && (await findLastIssued(tx, id)) !== null)
      throw new ApiError('INVALID_TRANSITION', 'A statement is issued: openedOn stays', {
        openedOn: before.opened_on,
        hints: ['send openedOn as it was'],
      });
    await saveAccountRow(tx, now, { partner_id: id, buyer, opened_on: openedOn });
    const after = (await findAccount(tx, id))!;
    await audit(tx, now, {
      actor,
      action: 'statement-account.update',
      target: `partner:${id}`,
      ...(before !== null && { before: accountView(before) }),
      after: accountView(after),
    });
    return after;
  });
}
