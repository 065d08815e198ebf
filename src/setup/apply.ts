import type { TSchema } from 'typebox';
import type { Instant } from '../base/clock.ts';
import { ApiError, conflict, validationError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type ConflictRow, listCatalogueConflicts } from '../catalogue/conflict-queries.ts';
import { changeOrPreview } from '../catalogue/conflicts.ts';
import type { ZoneOverlap } from '../catalogue/zone-overlaps.ts';
import { phoneFormats } from '../contacts/schema.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { createRequestChecker, isUuid } from '../http/validation.ts';
import { lockPartners } from '../partners/account-queries.ts';
import type { Providers } from '../partners/account-rules.ts';
import { PutPartnerServices } from '../partners/service-schema.ts';
import { readPartnerServices, setPartnerServices } from '../partners/services.ts';
import { partnerServicesView } from '../partners/view.ts';
import { listTeamConflicts } from '../teams/visit-queries.ts';
import { type Content, documentOf, fieldsOf, inFileWords, nameOf, readContent, toBody } from './content.ts';
import { differencesOf } from './differences.ts';
import { type Entry, type Item, KINDS, type Kind, nounOf, RESOURCES } from './document.ts';
import { type Reading, SetupRefusal } from './files.ts';
import { identify, type Step } from './identify.ts';

const MOST_SECONDS = 30;
const STALE = 'this deployment has changed since the export. Export again, or apply it with --over-changes:';
const TOO_LATE = `it takes more than ${MOST_SECONDS} seconds: apply less at once`;

type By = { actor: Actor; providers: Providers; late?: AbortSignal };

/**
 * Applies the entries of files in one transaction, all or none, and returns what they change and the sold visits that this
 * puts out of place; a check does the same and rolls back. Throws SetupRefusal with every fault, when the deployment has
 * changed since a file was exported and existing things would be changed (unless `isOverChanges`), and when it takes longer
 * than 30 seconds, in which nothing can be booked.
 */
export async function applySetup(
  db: Db,
  now: Instant,
  { isCheck, isOverChanges, ...by }: By & { isCheck: boolean; isOverChanges: boolean },
  reading: Reading,
) {
  const preview = isCheck ? 'true' : 'false';
  const list = (tx: Tx) => listAllConflicts(tx, now);
  const { result, conflicts } = await changeOrPreview(
    db,
    { preview, lockFirst: lockPartners },
    list,
    async (tx) => {
      const late = AbortSignal.timeout(MOST_SECONDS * 1000);
      const before = await applyEntries(tx, now, { late, ...by }, reading);
      const differences = differencesOf(before, await readContent(tx, now));
      // Additions may come late.
      const changes = differences.filter(({ isNew }) => !isNew).map(({ text }) => text);
      const { state } = documentOf(before);
      const stale = reading.states.filter((file) => file.state !== state).map(({ name }) => name);
      if (!isOverChanges && stale.length > 0 && changes.length > 0)
        throw new SetupRefusal([`${stale}: ${STALE}`, ...changes]);
      return differences.map(({ text }) => text);
    },
  );
  return { differences: result, conflicts };
}

/** The unfinished visits that their team or what is offered does not suit, each once, by start. */
async function listAllConflicts(tx: Tx, now: Instant): Promise<ConflictRow[]> {
  const rows = [...(await listCatalogueConflicts(tx, now)), ...(await listTeamConflicts(tx, now, null))];
  return [...Map.groupBy(rows, ({ id }) => id).values()]
    .map((same) => ({ ...same[0]!, reasons: same.flatMap(({ reasons }) => reasons) }))
    .sort((one, other) => one.starts_at - other.starts_at);
}

/** Runs the work; when it throws, what it has written is taken back and the transaction goes on. */
async function undone(tx: Tx, work: () => Promise<void>): Promise<void> {
  await tx.rows({ text: 'savepoint entry' });
  try {
    await work();
  } catch (error) {
    await tx.rows({ text: 'rollback to savepoint entry' });
    throw error;
  } finally {
    await tx.rows({ text: 'release savepoint entry' });
  }
}

/** `fault` null: it waits for what another entry makes. */
type Refusal = { step: Step; fault: string | null; isConflict: boolean };

type Applying = By & {
  tx: Tx;
  now: Instant;
  idOf: ReturnType<typeof identify>['idOf'];
  /** What exists: as it was before, null: made by an entry. */
  there: Map<string, Item | null>;
  /** Pairs of zones that may overlap. */
  confirmed: Set<string>;
  /** The fields to restore of what stepped aside. */
  aside: Map<string, Entry>;
};

/** Writes the entries, and returns what was there before. Throws SetupRefusal with every fault; the caller rolls back. */
export async function applyEntries(tx: Tx, now: Instant, by: By, reading: Reading): Promise<Content> {
  const content = await readContent(tx, now);
  const { steps, idOf, faults } = identify(reading.entries, content, now);
  const there = new Map<string, Item | null>();
  for (const kind of KINDS) for (const item of content[kind]) there.set(item.id, item);
  const pairs = content.zones.map(({ id, confirmedOverlaps }) => pairsOf(id, confirmedOverlaps as string[]));
  const confirmed = new Set(pairs.flat());
  const applying: Applying = { ...by, tx, now, idOf, there, confirmed, aside: new Map() };
  let refusals: Refusal[] = [];
  for (let pending = steps; ; pending = refusals.map(({ step }) => step)) {
    refusals = [];
    for (const step of pending) {
      if (by.late?.aborted) throw new SetupRefusal([TOO_LATE]);
      refusals.push(...(await attempt(applying, step)));
    }
    // Some wait for what others have made, or freed, since.
    if (refusals.length === pending.length && !(await stepAside(applying, refusals))) break;
  }
  if (reading.faults.length + faults.length + refusals.length > 0)
    throw new SetupRefusal([...reading.faults, ...faults, ...refusals.flatMap(({ fault }) => fault ?? [])]);
  return content;
}

/** None: the entry is written. */
async function attempt(applying: Applying, step: Step): Promise<Refusal[]> {
  const { tx, there, confirmed } = applying;
  try {
    const { body, waits } = bodyOf(applying, step);
    if (waits) return [{ step, fault: null, isConflict: false }];
    try {
      await undone(tx, () => write(applying, step, body));
    } catch (error) {
      const { overlaps = [] }: { overlaps?: ZoneOverlap[] } = error instanceof ApiError ? error.details : {};
      const unwanted = overlaps.filter(({ zone, other }) => !confirmed.has(pairsOf(zone.id, [other.id])[0]!));
      const names = unwanted.map(({ zone, other }) => (zone.id === step.id ? other : zone).name).join(', ');
      const advice = 'give one another priority, or name it in confirmedOverlaps';
      if (unwanted.length > 0) throw conflict('ZONES_OVERLAP', `overlaps ${names}: ${advice}`);
      if (overlaps.length === 0) throw error;
      await undone(tx, () => write(applying, step, { ...body, confirmOverlap: true }));
    }
    if (!there.has(step.id)) there.set(step.id, null);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message = [error.message], hints = [] } = error.details as {
      message?: string[];
      hints?: string[];
    };
    const told = message.join('; ') + (hints.length === 0 ? '' : ` (${hints.join('; ')})`);
    const fault = `${step.place}: ${inFileWords(step.kind, told)}`;
    return [{ step, fault, isConflict: error.code === 'CONFLICT' }];
  }
}

const pairsOf = (zone: string, others: readonly string[]): string[] =>
  others.map((other) => [zone, other].sort().join(' '));

/** Through the use cases of the operator's interface. Throws as they do. */
async function write(applying: Applying, { kind, id }: Step, fields: Entry): Promise<void> {
  const { tx, now, actor, providers, there, aside } = applying;
  const { make, change } = RESOURCES[kind];
  const isThere = there.has(id);
  const { restricted, prices, ...body }: Entry = { ...aside.get(id), ...fields };
  const given = { id, ...(kind === 'partners' && { providers }), ...(isThere ? { changes: body } : body) };
  await (isThere ? change : make)(tx, now, actor, given as never);
  if (restricted !== undefined || prices !== undefined)
    await writePrices(applying, id, { restricted, prices });
}

type Price = { serviceId: string };

/** Prices of the partner; those of services that are not named stay. */
async function writePrices({ tx, now, actor }: Applying, partnerId: string, given: Entry): Promise<void> {
  const before = partnerServicesView(await readPartnerServices(tx, partnerId), now);
  const { restricted = before.restricted, prices = [] } = given as { restricted?: boolean; prices?: Price[] };
  assertForm(PutPartnerServices, { restricted, services: prices });
  const known = new Map<string, Price>(before.services.map((one) => [one.serviceId, one]));
  const others = before.services.filter((one) =>
    prices.every(({ serviceId }) => serviceId !== one.serviceId),
  );
  // Those of the file first: messages count them.
  const services = [...prices.map((one) => ({ ...known.get(one.serviceId), ...one })), ...others];
  await setPartnerServices(tx, now, actor, { partnerId, restricted, services });
}

/** Throws VALIDATION_ERROR with other faults and all that is not as the schema has it. */
function assertForm(schema: TSchema, body: unknown, others: readonly string[] = []): void {
  const faults = createRequestChecker(phoneFormats)({ body: schema })({ params: {}, query: {}, body });
  const messages = new Set([...others, ...(faults?.messages ?? [])]);
  if (messages.size > 0) throw validationError([...messages], faults?.hints);
}

/** The entry as the interface takes it. Throws VALIDATION_ERROR (form, unknown names, an end of what is active). */
function bodyOf({ now, idOf, there, confirmed }: Applying, { kind, id, entry, isChange }: Step) {
  const known = fieldsOf(kind);
  const faults = Object.keys(entry).filter((name) => !known.includes(name));
  for (const [index, name] of faults.entries()) faults[index] = `property ${name} should not exist`;
  if (isChange && !there.has(id)) faults.push(`there is no ${nounOf(kind)} ${JSON.stringify(nameOf(entry))}`);
  if (entry.id !== undefined && !isUuid(String(entry.id))) faults.push('id must be a UUID');
  let waits = false;
  const {
    id: _id,
    confirmedOverlaps: _overlaps,
    ...body
  } = toBody(entry, (of, name, field) => {
    const found = typeof name === 'string' ? idOf(of, name) : null;
    if (found === null) faults.push(`${field}: there is no ${nounOf(of)} ${JSON.stringify(name)}`);
    if (found === undefined) faults.push(`${field}: several are called ${JSON.stringify(name)}: give the id`);
    if (!field.startsWith('confirmedOverlaps')) waits ||= found != null && !there.has(found);
    else for (const pair of pairsOf(id, [found ?? id])) confirmed.add(pair);
    // An unknown one has its message already.
    return found ?? newId(now);
  });
  const was = there.get(id);
  const inConsole = 'it is active here: end that in the console, which shows first what it hits';
  if (was?.isActive === true && body.isActive === false) faults.push(`isActive: ${inConsole}`);
  if (was?.status === 'ACTIVE' && body.status === 'SUSPENDED') faults.push(`status: ${inConsole}`);
  const { restricted: _restricted, prices: _prices, ...checked }: Entry = body;
  assertForm(RESOURCES[kind][there.has(id) ? 'update' : 'create'], checked, faults);
  return { body, waits };
}

/** Changes that take one out of the way of another, as when two swap their names. */
const ASIDE: { [Of in Kind]?: (id: string) => Entry } = {
  categories: () => ({ code: null }),
  zones: (id) => ({ name: id, isActive: false }),
  teams: (id) => ({ name: id }),
  tiers: () => ({ minMinutes: 0, maxMinutes: 0 }),
  partners: (id) => ({ name: id }),
  policies: () => ({ assignments: [] }),
};

/** Takes one of those that wait for each other out of the way; false: none can be. */
async function stepAside(applying: Applying, refusals: readonly Refusal[]): Promise<boolean> {
  const { there, aside } = applying;
  for (const { step, isConflict } of refusals) {
    const was = there.get(step.id);
    const away = ASIDE[step.kind]?.(step.id);
    if (!isConflict || was == null || away === undefined || aside.has(step.id)) continue;
    const before = Object.fromEntries(Object.keys(away).map((name) => [name, was[name]]));
    aside.set(step.id, before);
    try {
      await undone(applying.tx, () => write(applying, step, away));
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return false;
}
