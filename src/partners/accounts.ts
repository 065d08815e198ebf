import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../clock.ts';
import { conflict, notFound, validationError } from '../errors.ts';
import { type Actor, audit } from '../platform/audit.ts';
import { type Db, isDbError, type Queryable } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import {
  findPartner,
  findPartnerByName,
  insertPartner,
  listPartners,
  lockPartner,
  type PartnerFields,
  type PartnerRow,
  updatePartner,
} from './queries.ts';
import { normalizeHost } from './rules.ts';
import { partnerView } from './view.ts';

const DEFAULTS: Omit<PartnerFields, 'name'> = {
  status: 'ACTIVE',
  paymentResponsibility: 'PARTNER',
  rateLimitPerMinute: null,
  allowedDomains: [],
  sandboxDomains: [],
  allowedWebhookDomains: [],
  requireHttpsWebhooks: true,
};

export type PartnerChanges = Partial<PartnerFields>;

/** Creates a partner. Throws VALIDATION_ERROR (domains) and CONFLICT when the name is taken, in any case. */
export async function createPartner(
  db: Db,
  now: Instant,
  actor: Actor,
  input: PartnerChanges & { name: string },
): Promise<PartnerRow> {
  const fields = { ...DEFAULTS, ...normalized(input), name: input.name.trim() };
  return unlessNameTaken(
    db.transaction(async (tx) => {
      const partner = await insertPartner(tx, now, fields);
      await audit(tx, now, {
        actor,
        action: 'partner.create',
        target: `partner:${partner.id}`,
        after: partnerView(partner),
      });
      return partner;
    }),
  );
}

/** Throws RESOURCE_NOT_FOUND. */
export async function readPartner(db: Queryable, id: string): Promise<PartnerRow> {
  const partner = await findPartner(db, id);
  if (partner === null) throw notFound('Partner');
  return partner;
}

/** The partner of this name, in any case. Throws RESOURCE_NOT_FOUND. */
export async function readPartnerByName(db: Queryable, name: string): Promise<PartnerRow> {
  const partner = await findPartnerByName(db, name.trim());
  if (partner === null) throw notFound('Partner');
  return partner;
}

/** Partners, newest first; `search` looks for a part of the name. */
export function searchPartners(
  db: Queryable,
  filter: { search?: string; status?: PartnerRow['status'] },
  page: { limit: number; offset: number },
): Promise<Page<PartnerRow>> {
  return listPartners(db, filter, page);
}

/**
 * Changes the fields that are given; what is already so is no change. Throws RESOURCE_NOT_FOUND,
 * VALIDATION_ERROR (domains) and CONFLICT when the name is taken, in any case.
 */
export async function changePartner(
  db: Db,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: PartnerChanges },
): Promise<PartnerRow> {
  const wanted = normalized(changes);
  return unlessNameTaken(
    db.transaction(async (tx) => {
      const before = await lockPartner(tx, id);
      if (before === null) throw notFound('Partner');
      const current = fieldsOf(before);
      const fields = { ...current, ...wanted };
      if (isDeepStrictEqual(fields, current)) return before;
      const after = await updatePartner(tx, now, before.id, fields);
      await audit(tx, now, {
        actor,
        action: 'partner.update',
        target: `partner:${before.id}`,
        before: partnerView(before),
        after: partnerView(after),
      });
      return after;
    }),
  );
}

function fieldsOf(partner: PartnerRow): PartnerFields {
  return {
    name: partner.name,
    status: partner.status,
    paymentResponsibility: partner.payment_responsibility,
    rateLimitPerMinute: partner.rate_limit_per_minute,
    allowedDomains: partner.allowed_domains,
    sandboxDomains: partner.sandbox_domains,
    allowedWebhookDomains: partner.allowed_webhook_domains,
    requireHttpsWebhooks: partner.require_https_webhooks,
  };
}

const DOMAIN_FIELDS = ['allowedDomains', 'sandboxDomains', 'allowedWebhookDomains'] as const;

/** The name trimmed, the domains in the spelling that is compared, each once. */
function normalized(changes: PartnerChanges): PartnerChanges {
  const faults: string[] = [];
  const result = { ...changes };
  if (changes.name !== undefined) result.name = changes.name.trim();
  for (const field of DOMAIN_FIELDS) {
    const domains = changes[field];
    if (domains === undefined) continue;
    const hosts = domains.map((domain, index) => {
      const host = normalizeHost(domain);
      if (host === null) {
        faults.push(`${field}.${index} must be a bare host name (no scheme, port, path or wildcard)`);
      }
      return host ?? domain;
    });
    result[field] = [...new Set(hosts)];
  }
  if (faults.length > 0) throw validationError(faults);
  return result;
}

async function unlessNameTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isDbError(error, 'uniqueViolation', 'partners_name_key')) {
      throw conflict('Another partner has this name');
    }
    throw error;
  }
}
