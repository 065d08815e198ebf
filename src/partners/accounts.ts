import type { Instant } from '../base/clock.ts';
import { orNotFound, validationError } from '../base/errors.ts';
import type { Actor } from '../db/audit.ts';
import { auditedRows, type New } from '../db/audited-rows.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { conflictOnDuplicate } from '../db/constraint-errors.ts';
import { columnsOf } from '../db/tables.ts';
import { findPartnerByName, partnerRows } from './account-queries.ts';
import { accountFaults, CHOSEN_KINDS, type Providers } from './account-rules.ts';
import type { CreatePartner, UpdatePartner } from './account-schema.ts';
import { normalizeHost } from './domain-rules.ts';
import type { PartnerRow } from './table.ts';
import { partnerView } from './view.ts';

const partners = auditedRows(partnerRows, {
  kind: 'partner',
  name: 'Partner',
  view: partnerView,
  written: (write) =>
    conflictOnDuplicate('partners_name_key', { message: 'Another partner has this name' }, write),
});

/**
 * Creates a partner. Throws VALIDATION_ERROR (PLATFORM without a payment gateway, messages to customers without a
 * notifier) and CONFLICT when the name is taken, case-insensitively.
 */
export function createPartner(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { providers, ...input }: New<CreatePartner> & { providers: Providers },
): Promise<PartnerRow> {
  assertProvided(input, providers);
  return partners.create(tx, now, { actor }, { ...partnerColumns(input), name: input.name.trim() });
}

/** Throws RESOURCE_NOT_FOUND. */
export const readPartner = partners.read;

/** The partner with this name, case-insensitively. Throws RESOURCE_NOT_FOUND. */
export function readPartnerByName(db: Queryable, name: string): Promise<PartnerRow> {
  return orNotFound(findPartnerByName(db, name.trim()), 'Partner');
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
  return partners.change(tx, now, { actor }, { before, columns: partnerColumns(changes) });
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
    customerMessages: customerMessages && CHOSEN_KINDS.filter((kind) => customerMessages.includes(kind)),
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
