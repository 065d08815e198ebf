import type { Instant } from '../base/clock.ts';
import { orNotFound, validationError } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { conflictOnDuplicate } from '../db/constraint-errors.ts';
import type { Page, Window } from '../db/pages.ts';
import { changesTo, columnsOf } from '../db/tables.ts';
import { findPartnerByName, listPartners, type PartnerFilter, partnerRows } from './account-queries.ts';
import { accountFaults, MESSAGE_KINDS, type Providers } from './account-rules.ts';
import type { CreatePartner, UpdatePartner } from './account-schema.ts';
import { normalizeHost } from './domain-rules.ts';
import type { PartnerRow } from './table.ts';
import { partnerView } from './view.ts';

/**
 * Creates a partner. Throws VALIDATION_ERROR (PLATFORM without a payment gateway, messages to customers without a
 * notifier) and CONFLICT when the name is taken, case-insensitively.
 */
export async function createPartner(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { providers, ...input }: CreatePartner & { providers: Providers },
): Promise<PartnerRow> {
  assertProvided(input, providers);
  const row = await conflictOnName(
    partnerRows.insert(tx, now, { ...partnerColumns(input), name: input.name.trim() }),
  );
  const target = `partner:${row.id}`;
  await audit(tx, now, { actor, action: 'partner.create', target, after: partnerView(row) });
  return row;
}

/** Throws RESOURCE_NOT_FOUND. */
export function readPartner(db: Queryable, id: string): Promise<PartnerRow> {
  return orNotFound(partnerRows.find(db, id), 'Partner');
}

/** The partner with this name, case-insensitively. Throws RESOURCE_NOT_FOUND. */
export function readPartnerByName(db: Queryable, name: string): Promise<PartnerRow> {
  return orNotFound(findPartnerByName(db, name.trim()), 'Partner');
}

/** Partners, newest first; `search` is a part of the name. */
export function searchPartners(
  db: Queryable,
  filter: PartnerFilter,
  page: Window,
): Promise<Page<PartnerRow>> {
  return listPartners(db, filter, page);
}

/**
 * Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND, and as createPartner
 * does.
 */
export async function changePartner(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, providers, changes }: { id: string; providers: Providers; changes: UpdatePartner },
): Promise<PartnerRow> {
  assertProvided(changes, providers);
  const before = await orNotFound(partnerRows.lock(tx, id), 'Partner');
  const columns = changesTo(before, partnerColumns(changes));
  if (columns === null) return before;
  const after = await conflictOnName(partnerRows.update(tx, now, before.id, columns));
  await audit(tx, now, {
    actor,
    action: 'partner.update',
    target: `partner:${before.id}`,
    before: partnerView(before),
    after: partnerView(after),
  });
  return after;
}

function assertProvided(input: UpdatePartner, providers: Providers): void {
  const { messages, hints } = accountFaults(input, providers);
  if (messages.length > 0) throw validationError(messages, hints);
}

/** The normalized fields: the name trimmed, each domain once, in one spelling. */
function partnerColumns({
  name,
  customerMessages,
  contactTextEn,
  contactTextAr,
  allowedDomains,
  sandboxDomains,
  allowedWebhookDomains,
  ...rest
}: UpdatePartner) {
  return columnsOf({
    ...rest,
    name: name?.trim(),
    // Each once, in one order.
    customerMessages: customerMessages && MESSAGE_KINDS.filter((kind) => customerMessages.includes(kind)),
    contactTextEn: contactTextEn?.trim() ?? contactTextEn,
    contactTextAr: contactTextAr?.trim() ?? contactTextAr,
    allowedDomains: allowedDomains && normalizedHosts(allowedDomains),
    sandboxDomains: sandboxDomains && normalizedHosts(sandboxDomains),
    allowedWebhookDomains: allowedWebhookDomains && normalizedHosts(allowedWebhookDomains),
  });
}

/** Domains that match DOMAIN, in the spelling of comparisons with requests. */
function normalizedHosts(domains: readonly string[]): string[] {
  return [...new Set(domains.map((domain) => normalizeHost(domain)!))];
}

function conflictOnName<T>(write: Promise<T>): Promise<T> {
  return conflictOnDuplicate('partners_name_key', { message: 'Another partner has this name' }, write);
}
