import { reasonText } from './board/placements.ts';
import type { Failure } from './calls.ts';
import type { ErrorCode } from './contract.ts';
import { dayOf, monthOf } from './format.ts';
import { language, type PlainKey, t } from './language.ts';
import type { Role } from './session.ts';
import type { FAILURE_TEXTS } from './texts-failures.ts';

/** Failures in the reader's language: title, cause, and the fault of each field. */

type Failed = Pick<Failure, 'status' | 'code' | 'details' | 'isWorded' | 'message' | 'route'>;

const CODES = {
  VALIDATION_ERROR: 'failure.VALIDATION_ERROR',
  UNAUTHORIZED: 'failure.UNAUTHORIZED',
  FORBIDDEN: 'failure.FORBIDDEN',
  RESOURCE_NOT_FOUND: 'failure.RESOURCE_NOT_FOUND',
  SERVICE_NOT_ALLOWED: 'failure.SERVICE_NOT_ALLOWED',
  DUPLICATE_EXTERNAL_REFERENCE: 'failure.DUPLICATE_EXTERNAL_REFERENCE',
  IDEMPOTENCY_KEY_CONFLICT: 'failure.IDEMPOTENCY_KEY_CONFLICT',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'failure.IDEMPOTENCY_KEY_IN_PROGRESS',
  HOLD_CONSUMED: 'failure.HOLD_CONSUMED',
  FEE_CHANGED: 'failure.FEE_CHANGED',
  CONFLICT: 'failure.CONFLICT',
  BOOKING_CREATION_FAILED: 'failure.BOOKING_CREATION_FAILED',
  BOOKING_ALREADY_CANCELLED: 'failure.BOOKING_ALREADY_CANCELLED',
  BOOKING_NOT_EDITABLE: 'failure.BOOKING_NOT_EDITABLE',
  BOOKING_APPOINTMENT_NOT_FOUND: 'failure.BOOKING_APPOINTMENT_NOT_FOUND',
  INVALID_TRANSITION: 'failure.INVALID_TRANSITION',
  DELIVERY_NOT_RETRYABLE: 'failure.DELIVERY_NOT_RETRYABLE',
  RATE_LIMIT_EXCEEDED: 'failure.RATE_LIMIT_EXCEEDED',
  INTERNAL_ERROR: 'failure.INTERNAL_ERROR',
  NO_RESPONSE: 'error.noResponse',
} satisfies Record<ErrorCode | 'NO_RESPONSE', PlainKey>;

/** Of every reason of a conflict. */
const CONFLICTS: Partial<Record<string, PlainKey>> = {
  NAME_TAKEN: 'conflict.NAME_TAKEN',
  CODE_TAKEN: 'conflict.CODE_TAKEN',
  IN_USE: 'failure.inUse',
  STALE: 'error.stale409',
  TIERS_OVERLAP: 'failure.tiersOverlap',
  ADDRESS_EXISTS: 'failure.addressExists',
  OTHER_ZONE: 'conflict.OTHER_ZONE',
  REFERENCE_TAKEN: 'conflict.REFERENCE_TAKEN',
  OPEN_BOOKINGS: 'conflict.OPEN_BOOKINGS',
  POLICY_ASSIGNED: 'conflict.POLICY_ASSIGNED',
  PARTNER_SUSPENDED: 'failure.partnerSuspended',
  REQUEST_OPEN: 'privacy.alreadyOpen',
  RUN_UNDER_WAY: 'conflict.RUN_UNDER_WAY',
  NO_CANCELLATION_REASON: 'conflict.NO_CANCELLATION_REASON',
};

const ROLE_NAMES: Partial<Record<string, PlainKey>> = {
  viewer: 'role.viewer',
  dispatcher: 'role.dispatcher',
  admin: 'role.admin',
} satisfies Record<Role, PlainKey>;

/** The title of a failure: `Couldn't save the team`. */
export function failureTitle({ route }: Pick<Failed, 'route'>): string {
  if (route === null) return t('couldNot.any');
  if (route.method === 'GET') return t('couldNot.load');
  return route.title?.[language.value] ?? t('couldNot.any');
}

/** Whether the page's address holds no id, as a mistyped link does. */
export const isOfNoPage = ({ code, details }: Pick<Failed, 'code' | 'details'>): boolean =>
  code === 'VALIDATION_ERROR' && (details.message ?? []).includes('id must be a UUID');

/** Why it did not work, in a sentence without names of routes and fields. */
export function failureText(failure: Failed): string {
  const { status, code, details, isWorded, message, route } = failure;
  const { role, tokenRole, reason } = details;
  const [needed, has] = [ROLE_NAMES[role ?? ''], ROLE_NAMES[tokenRole ?? '']];
  if (isWorded) return message;
  if (isOfNoPage(failure)) return t('failure.RESOURCE_NOT_FOUND');
  if (needed && has) return t('error.role', { needed: t(needed), has: t(has) });
  if (details.month !== undefined) return t('statements.earlier', { month: monthOf(details.month) });
  if (details.issuedUntil !== undefined)
    return t('statements.issuedUntil', { month: monthOf(details.issuedUntil) });
  if (details.openedOn !== undefined) return t('statements.begun', { date: dayOf(details.openedOn) });
  const conflict = CONFLICTS[reason ?? ''];
  if (conflict) return t(conflict);
  const why = code === 'UNAUTHORIZED' || reason === undefined ? null : reasonText(reason);
  if (why !== null && why !== t('cannot.other')) return `${why}.`;
  if (status === 413) return t('failure.tooLarge');
  if (status === 0 && code === 'INTERNAL_ERROR') return t('failure.page');
  const specific = route?.refusals?.[code];
  // The portal's API has more codes.
  const known: PlainKey | undefined = (CODES as Partial<Record<string, PlainKey>>)[code];
  return t(specific ?? known ?? (status >= 500 ? 'failure.INTERNAL_ERROR' : 'failure.refused'));
}

type FaultKey = Extract<keyof typeof FAILURE_TEXTS, `fault.${string}`> | 'zones.crossing';

/** The wordings of the service's validation, the more specific ones first; a number in them is kept. */
const FAULTS: readonly (readonly [RegExp, FaultKey])[] = [
  [/should not exist/, 'fault.unknown'],
  [/should not be empty|must be given$/, 'fault.empty'],
  [/shorter than or equal to (\d+)/, 'fault.longest'],
  [/longer than or equal to (\d+)/, 'fault.shortest'],
  [/amount from 0 to ([\d.]+)/, 'fault.amount'],
  [/must not be less than (-?[\d.]*\d)/, 'fault.least'],
  [/must not be greater than (-?[\d.]*\d)/, 'fault.most'],
  [/must be at most (\d+)/, 'fault.most'],
  [/at most (\d+) decimal/, 'fault.decimals'],
  [/multiple of ([\d.]*\d)/, 'fault.multiple'],
  [/at least (\d+) (?:elements|positions)/, 'fault.fewest'],
  [/no more than (\d+) (?:elements|positions)/, 'fault.mostEntries'],
  [/elements must be unique|listed twice|once$/, 'fault.twice'],
  [/cross or touch itself/, 'zones.crossing'],
  [/overlap/, 'fault.overlap'],
  [/latitude|longitude|coordinates/, 'fault.coordinates'],
  [/after today/, 'fault.afterToday'],
  [/must be after|not be before|not be less than minMinutes/, 'fault.after'],
  [/payment gateway/, 'fault.gateway'],
  [/date and time|time in ISO/, 'fault.dateTime'],
  [/HH:MM/, 'fault.time'],
  [/date string|calendar|years 2000/, 'fault.date'],
  [/phone number/, 'fault.phone'],
  [/bare host name/, 'fault.domain'],
  [/IP address or a CIDR/, 'fault.network'],
  [/URL|^url |private network/, 'fault.url'],
  [/integer/, 'fault.whole'],
  [/must be a number/, 'fault.number'],
  [/the id of|a UUID|one of the following/, 'fault.choose'],
  [/line breaks/, 'fault.line'],
  [/not name the customer/, 'fault.person'],
];

/** The wording of a validation message of the service, without the field's name. */
export function faultText(message: string): string {
  const [, line] = /^(?:[A-Za-z]\w*\.)*[A-Za-z]\w*\.(\d+) /.exec(message) ?? [];
  const text = wordingOf(message);
  return line === undefined ? text : t('fault.inLine', { line: Number(line) + 1, fault: text });
}

function wordingOf(message: string): string {
  for (const [pattern, key] of FAULTS) {
    const found = pattern.exec(message);
    if (found !== null) return t(key as 'fault.least', { count: found[1] ?? '' });
  }
  return t('fault.other');
}

/** The wordings of validation messages without duplicates. `isWorded`: they are the console's own. */
export const faultTexts = (messages: readonly string[], isWorded: boolean): string[] => [
  ...new Set(isWorded ? messages : messages.map(faultText)),
];
