import type { ComponentChildren } from 'preact';
import { delayText } from '../board/late-badge.tsx';
import type { AuditEntry } from '../contract.ts';
import { dateIn, dateTime, fromTo, timeOfDay } from '../format.ts';
import { direction, language, nameOf, t } from '../language.ts';
import { stateName } from '../parts/badge.tsx';
import { href } from '../router.ts';
import { AUDIT_TEXTS } from '../texts-audit.ts';

/** An entry of the audit log as a sentence with links, from its action and the states before and after. */

/** Names that entries do not have themselves, by id. */
export type Names = {
  teams: Map<string, string>;
  partners: Map<string, string>;
};

type Key = keyof typeof AUDIT_TEXTS;
type State = Record<string, unknown>;

/** The text of the entry; that of any action if this console does not know the entry's. */
function keyOf({ action, before, after }: AuditEntry): Key {
  const [old, now] = [before ?? {}, after ?? {}];
  const became = (status: string): boolean => now.status === status && old.status !== status;
  if (action === 'appointment.update') {
    const isMoved = teamOf(old).id !== teamOf(now).id;
    const isRescheduled = old.startsAt !== now.startsAt || old.endsAt !== now.endsAt;
    if (isMoved) return isRescheduled ? 'audited.case.movedAt' : 'audited.case.moved';
    if (isRescheduled) return 'audited.case.rescheduled';
    if (old.status !== now.status) return 'audited.case.status';
  }
  if (action === 'key.update' && became('REVOKED')) return 'audited.case.keyRevoked';
  if (action === 'token.update' && became('REVOKED')) return 'audited.case.tokenRevoked';
  if (action === 'partner.update' && became('SUSPENDED')) return 'audited.case.suspended';
  if (action === 'partner.update' && became('ACTIVE')) return 'audited.case.resumed';
  const key = `audited.${action}`;
  return key in AUDIT_TEXTS ? (key as Key) : 'audited.case.other';
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

type NamedTeam = { id?: string; name?: string; nameAr?: string | null };
const teamOf = (state: State): NamedTeam => (state.team as object | undefined) ?? {};

/** `10:00 → 14:00`, with the dates if they differ. */
function timeChange(old: State, now: State): string {
  const [from, to] = [String(old.startsAt), String(now.startsAt)];
  const isSameDay = dateIn(Date.parse(from)) === dateIn(Date.parse(to));
  const shown = isSameDay ? timeOfDay : dateTime;
  return `${shown(from)} ${t('audit.arrow')} ${shown(to)}`;
}

/** The period of a time off, or of a slot that was held. */
function slotOf(state: State): string {
  if (typeof state.startsAt === 'string')
    return fromTo(dateTime(state.startsAt), dateTime(String(state.endsAt)));
  const { startAt = '', endAt = '' } = (state.timeslot ?? {}) as { startAt?: string; endAt?: string };
  return `${text(state.date) ?? ''} ${fromTo(startAt, endAt)}`;
}

/** The page of an entry's target; null: it has none. */
function addressOf({ action, target }: AuditEntry, state: State): string | null {
  if (action.endsWith('.delete')) return null;
  const [kind = '', id = ''] = target.split(':');
  switch (kind) {
    case 'booking':
      return href(`/bookings/${id}`);
    case 'appointment':
      return text(state.bookingId) && href(`/bookings/${text(state.bookingId)}`);
    case 'contact':
      return href(`/customers/${id}`);
    case 'partner':
      return href(`/partners/${id}`);
    case 'key':
      return href(`/partners/${text(state.partnerId)}/keys`);
    case 'service':
      return href(`/catalogue/services/${id}`);
    case 'category':
      return href('/catalogue/categories');
    case 'tier':
      return href('/catalogue/tiers');
    case 'reason':
      return href('/catalogue/reasons');
    case 'policy':
      return href(`/policies/${id}`);
    case 'privacy-request':
      return href(`/privacy-requests/${id}`);
    case 'series':
      return href(`/series/${id}`);
    case 'zone':
      return href('/zones', { zone: id });
    case 'team':
      return href(`/teams/${id}`);
    case 'delivery':
      return href(`/deliveries/${id}`);
    case 'schedule':
      return href('/schedules');
    case 'statement':
      // Of the settings, too.
      return href(`/statements/${id}`);
    case 'token':
      return href('/tokens');
    default:
      return null;
  }
}

/** The name or reference of the target, or of whom it is about; otherwise its id. */
function nameOfTarget({ target, holderName, targetName }: AuditEntry, state: State): ComponentChildren {
  const [kind] = target.split(':');
  const isArabic = language.value === 'ar';
  const name =
    text(isArabic ? state.nameAr : state.nameEn) ??
    text(state.name) ??
    text(state.nameEn) ??
    text(state.trackingReference) ??
    (kind === 'statement' ? text(state.number) : null) ??
    (kind === 'token' ? holderName : null) ??
    (kind === 'series' ? t('series.title') : null) ??
    (kind === 'tier' ? fromTo(text(state.minMinutes) ?? '', text(state.maxMinutes) ?? '∞') : targetName);
  return name === null ? <code>{target}</code> : <bdi>{name}</bdi>;
}

/** The actor's name; the log has the id of its token or its team, and the service says the name. */
export function actorText(actor: string, name: string | null): string {
  if (actor === 'operator:first-token') return t('live.firstToken');
  if (actor === 'worker') return t('audit.worker');
  if (actor === 'migration') return t('audit.migration');
  if (actor === 'payments') return t('audit.payments');
  if (actor === 'gateway') return t('payment.gateway');
  if (actor.startsWith('crew:') && name !== null) return t('audit.crew', { team: name });
  return name ?? actor;
}

const linked = (address: string | null, content: ComponentChildren): ComponentChildren =>
  address === null ? content : <a href={address}>{content}</a>;

/** The entry as a sentence in the chosen language, with links to its actor, target, teams and partner. */
export function Sentence({ entry, names }: { entry: AuditEntry; names: Names }) {
  const [old, now] = [entry.before ?? {}, entry.after ?? {}];
  const state = { ...old, ...now };
  const key = keyOf(entry);
  const team = ({ id = '', name, nameAr }: NamedTeam): ComponentChildren => {
    const known = name === undefined ? names.teams.get(id) : nameOf({ name, nameAr: nameAr ?? null });
    return linked(href(`/teams/${id}`), <bdi>{known ?? id}</bdi>);
  };
  const person = (actor: string, name: string | null): ComponentChildren =>
    linked(href('/audit', { actor }), <bdi>{actorText(actor, name)}</bdi>);
  const partnerId = entry.target.startsWith('partner:') ? entry.target.slice(8) : text(state.partnerId);
  const status = (value: unknown): string => stateName('appointment', String(value));
  const parts: Record<string, () => ComponentChildren> = {
    actor: () => person(entry.actor, entry.actorName),
    target: () => linked(addressOf(entry, state), nameOfTarget(entry, state)),
    action: () => <code>{entry.action}</code>,
    from: () => team(teamOf(old)),
    to: () => team(teamOf(now)),
    team: () => team({ id: text(state.teamId) ?? '' }),
    time: () => <bdi dir={direction()}>{timeChange(old, now)}</bdi>,
    slot: () => <bdi>{slotOf(state)}</bdi>,
    before: () => <bdi>{status(old.status)}</bdi>,
    after: () => <bdi>{status(now.status)}</bdi>,
    wanted: () => (
      <bdi>{typeof now.lateMinutes === 'number' ? delayText(now.lateMinutes) : status(now.wantedStatus)}</bdi>
    ),
    other: () => {
      const { name = '', nameAr = null } = (state.other as NamedTeam | undefined) ?? {};
      return <bdi>{nameOf({ name, nameAr })}</bdi>;
    },
    holder: () => person(text(state.holder) ?? '', entry.holderName),
    partner: () =>
      linked(href(`/partners/${partnerId}`), <bdi>{names.partners.get(partnerId ?? '') ?? partnerId}</bdi>),
  };
  return (
    <>
      {AUDIT_TEXTS[key][language.value]
        .split(/\{(\w+)\}/)
        .map((part, index) => (index % 2 === 0 ? part : parts[part]!()))}
      <Details state={state} old={old} now={now} isMove={key.startsWith('audited.case.')} />
    </>
  );
}

/** Further changes: its activity, the status beside a move, and the given reason. */
function Details({ state, old, now, isMove }: { state: State; old: State; now: State; isMove: boolean }) {
  const details = [
    old.isActive !== undefined &&
      now.isActive !== undefined &&
      old.isActive !== now.isActive &&
      t(now.isActive === true ? 'audit.active' : 'audit.inactive'),
    isMove &&
      teamOf(old).id !== undefined &&
      old.startsAt !== now.startsAt &&
      old.status !== now.status &&
      stateName('appointment', String(now.status)),
    text(state.forcedBecause),
    text(state.correctedBecause),
    text(state.statusNotes),
  ].filter((detail) => typeof detail === 'string');
  return details.map((detail) => (
    <span key={detail} class="faint">
      {' · '}
      <bdi>{detail}</bdi>
    </span>
  ));
}
