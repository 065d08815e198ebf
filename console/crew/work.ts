import { computed, effect, signal } from '@preact/signals';
import { alarm } from './alarm.ts';
import { endSession, openSession, readDay, readMe, sendStep } from './api.ts';
import { changesOf, planOf, withFurtherDays } from './changes.ts';
import type { CrewMe, CrewVisit } from './contract.ts';
import { keptDay, queue, readKept, refusedSteps, serviceTime } from './kept.ts';
import {
  bodyOf,
  dueStep,
  endOf,
  type QueuedStep,
  type Reason,
  type Step,
  tappedAt,
  UNDO,
  wholeText,
  withStep,
} from './steps.ts';

/** Background work of the page: reading the list, sending the queue, signing in. */

/** `asking`: the link needs its PIN. `ended`: the link has ended. `open`: the kept day is shown. */
export type Access = 'starting' | 'asking' | 'open' | 'none' | 'ended';
export const access = signal<Access>('starting');
/** What a link asks that was opened beside a running session: its PIN, or whether to change to its team. */
export const question = signal<'pin' | 'other-team' | null>(null);
/** Why signing in failed; null: it did not. */
export const signInFailure = signal<'pin-wrong' | 'not-valid' | 'locked' | 'later' | null>(null);
type LinkRefusal = 'pin-missing' | 'other-team' | NonNullable<typeof signInFailure.value>;
export const isOffline = signal(false);
/** The telephone's time, each second. */
export const now = signal(Date.now());

/** Milliseconds after which an unchanged list is kept as read again. */
const KEEP_EVERY = 8_000;
/** Milliseconds by which a clock may be off without being kept. */
const MAX_DRIFT = 2_000;

/** Milliseconds between two reads of the list, and between two tries without a network. */
const READ_EVERY = 2_000;
const TRY_EVERY = 3_000;

let etag: string | null = null;
/** The token of the link, until it has opened a session or is known to open none. */
let link: string | null = null;

// ---------------------------------------------------------------------------
// Signing in

/** Takes the token out of the fragment (`#link=…`), which no server sees, and out of the address. */
export function takeLinkFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('link');
  if (given === null || given === '') return;
  history.replaceState(null, '', location.pathname);
  link = given;
  question.value = null;
}

/** Shows the kept day; then opens a session with the link, or goes on with the one that is open. */
export async function start(): Promise<void> {
  if (keptDay.value !== null) access.value = 'open';
  if (link !== null && (await enter(null))) return;
  // It asks, or is to be tried again; one that opens nothing takes no running session away.
  if (link !== null && access.value !== 'open') return;
  const me = await readMe();
  if (me.kind === 'data') return opened(me.data);
  if (me.kind === 'refused') return sessionRefused(me.reason);
  isOffline.value = true;
  if (access.value === 'starting') access.value = 'none';
}

/**
 * Tries the link, beside the running session if there is one; `changesTeam`: also a link of another team. Returns whether
 * it opened a session.
 */
export async function enter(pin: string | null, changesTeam = false): Promise<boolean> {
  if (link === null) return false;
  const running = changesTeam ? null : (keptDay.value?.teamId ?? null);
  // Steps of the team before are sent by that team's session.
  if (running === null && queue.value.length > 0) await sendDue(true);
  const answer = await openSession(link, pin, running);
  if (answer.kind === 'data') {
    leaveLink();
    await opened(answer.data);
    return true;
  }
  const isKnown = answer.kind === 'refused' && answer.status === 401;
  const reason = isKnown ? (answer.reason as LinkRefusal) : 'later';
  const asks = reason === 'pin-missing' || reason === 'pin-wrong' || reason === 'other-team';
  if (reason === 'not-valid' || reason === 'locked') link = null;
  signInFailure.value = reason === 'pin-missing' || reason === 'other-team' ? null : reason;
  if (access.value === 'open') {
    if (reason === 'later') isOffline.value = true;
    else question.value = !asks ? null : reason === 'other-team' ? reason : 'pin';
  } else access.value = asks || (reason === 'later' && pin !== null) ? 'asking' : 'none';
  return false;
}

/** Forgets the link: the running session goes on. */
export function leaveLink(): void {
  link = null;
  question.value = null;
  signInFailure.value = null;
}

/** Whether another try with the same link may succeed. */
export const mayTryAgain = (): boolean => link !== null && signInFailure.value === 'later';

async function opened({ teamId, teamName, teamNameAr, endsAt, now: at }: CrewMe): Promise<void> {
  await keptDay.change((before) => ({
    ...(before?.teamId === teamId && { seen: before.seen ?? null, alarmed: before.alarmed ?? [] }),
    teamId,
    teamName,
    teamNameAr,
    day: before?.teamId === teamId ? before.day : null,
    readAt: before?.teamId === teamId ? before.readAt : 0,
    ahead: Date.parse(at) - Date.now(),
    endsAt,
  }));
  etag = null;
  access.value = 'open';
  isOffline.value = false;
  if (question.value === null) signInFailure.value = null;
  // Otherwise a browser that runs out of room may remove the steps.
  void navigator.storage?.persist?.();
  void read();
  void sendDue();
}

/** Signs the telephone out, after what waits was sent; without a network it stays signed in. */
export async function leave(): Promise<void> {
  await sendDue(true);
  const answer = await endSession();
  if (answer.kind === 'unreached') isOffline.value = true;
  else await closed('');
}

/** The session is refused. A link that could not be tried yet may open the next one: it is tried as long as that is so. */
async function sessionRefused(reason: string): Promise<void> {
  if (link !== null && question.value === null && ((await enter(null)) || mayTryAgain())) return;
  await closed(reason);
}

/** Forgets the customers; steps that are not sent stay. */
async function closed(reason: string): Promise<void> {
  await keptDay.change(() => null);
  etag = null;
  access.value = reason === 'link-ended' ? 'ended' : 'none';
  if (reason === 'link-ended') void sendDue();
}

// ---------------------------------------------------------------------------
// The list

let reading = false;

async function read(): Promise<void> {
  if (reading || access.value !== 'open') return;
  reading = true;
  // A link that could not be tried yet.
  if (link !== null && question.value === null) await enter(null);
  const answer = await readDay(etag);
  reading = false;
  if (answer.kind === 'unreached') {
    isOffline.value = true;
    return;
  }
  if (answer.kind === 'refused') return answer.status === 401 ? sessionRefused(answer.reason) : undefined;
  isOffline.value = false;
  if (answer.kind === 'data') etag = answer.etag ?? null;
  const day = answer.kind === 'data' ? answer.data : null;
  const { readAt = 0, ahead = 0 } = keptDay.value ?? {};
  const isSet = Math.abs((answer.ahead ?? ahead) - ahead) > MAX_DRIFT;
  if (day !== null || isSet || Date.now() - readAt > KEEP_EVERY)
    await keptDay.change(
      (kept) =>
        kept && {
          ...kept,
          day: day ?? kept.day,
          seen: day === null ? (kept.seen ?? null) : withFurtherDays(kept.seen ?? null, day),
          readAt: Date.now(),
          ahead: answer.ahead ?? kept.ahead,
        },
    );
  void sendDue();
}

/** What the office changed in the plan since the crew has seen it. */
export const planChanges = computed(() => {
  const { day = null, seen = null, ahead = 0, readAt = 0 } = keptDay.value ?? {};
  // At the reading: by then lists have lost what is past.
  return day === null ? [] : changesOf(seen, day.visits, readAt + ahead);
});

/** Notes that the crew has seen the plan as it is now. */
export async function seePlan(): Promise<void> {
  await keptDay.change(
    (kept) => kept && { ...kept, seen: kept.day === null ? null : planOf(kept.day), alarmed: [] },
  );
}

/** Keys of the changes of the last alarm, until they are on the disk. */
let alarming: readonly string[] = [];

/** Alarms the crew once of each change. */
function alarmOfChanges(): void {
  const keys = planChanges.value.map(({ key }) => key);
  const alarmed = [...alarming, ...(keptDay.value?.alarmed ?? [])];
  if (keys.every((key) => alarmed.includes(key))) return;
  alarming = keys;
  alarm();
  void keptDay.change((kept) => kept && { ...kept, alarmed: keys });
}

// ---------------------------------------------------------------------------
// Steps

/** Keeps a step; it is sent once it can be undone no longer, and at once where the telephone keeps nothing. */
export async function takeStep(
  visit: Pick<CrewVisit, 'id' | 'name' | 'startsAt'>,
  to: Step,
  more: { reason?: Reason; text?: string; minutes?: number } = {},
): Promise<void> {
  if (keptDay.value === null) return;
  const { teamId, ahead, readAt } = keptDay.value;
  const happenedAt = tappedAt(Date.now(), readAt);
  const step: QueuedStep = {
    key: newKey(),
    teamId,
    visitId: visit.id,
    visitName: visit.name,
    to,
    startsAt: visit.startsAt,
    happenedAt,
    ahead,
    sendAt: Date.now() + UNDO,
    ...more,
    ...(more.text !== undefined && { text: wholeText(more.text) }),
  };
  const isKept = await queue.change((steps) => withStep(steps, step, Date.now()));
  void sendDue(!isKept);
}

/** Takes a step back that is not on its way yet. */
export function undoStep({ key }: QueuedStep): void {
  if (key === sent) return;
  const without = (steps: readonly QueuedStep[]) => steps.filter((step) => step.key !== key);
  // Before the disk: it must not be sent meanwhile.
  queue.value = without(queue.value);
  void queue.change(without);
}

/** A UUID of version 4; `randomUUID` is younger than some telephones. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

let sending = false;
/** Whether also what could still be undone is sent. */
let hurries = false;
/** The key of the step that is on its way. */
let sent: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what is due, one after the other; `all`: also what could still be undone, as the page is being left. */
async function sendDue(all = false): Promise<void> {
  hurries ||= all;
  if (sending) return;
  clearTimeout(timer);
  sending = true;
  try {
    for (;;) {
      const teamId = keptDay.value?.teamId ?? queue.value[0]?.teamId;
      const due = teamId === undefined ? null : dueStep(queue.value, teamId, hurries ? Infinity : Date.now());
      if (due === null) return;
      if ('wait' in due) {
        timer = setTimeout(() => void sendDue(), due.wait);
        return;
      }
      sent = due.step.key;
      const isDone = await deliver(due.step);
      sent = null;
      if (!isDone) {
        if (access.value === 'open' || access.value === 'ended')
          timer = setTimeout(() => void sendDue(), TRY_EVERY);
        return;
      }
    }
  } finally {
    sending = false;
    hurries = false;
  }
}

/** false: it has to be tried again. */
async function deliver(step: QueuedStep): Promise<boolean> {
  const answer = await sendStep(step.visitId, bodyOf(step, Date.now()));
  if (answer.kind === 'unreached' || answer.kind === 'same') {
    isOffline.value = true;
    return false;
  }
  isOffline.value = false;
  if (answer.kind === 'refused' && answer.status === 401) {
    // The next link of the team takes it along.
    if (access.value === 'open') await sessionRefused(answer.reason);
    return false;
  }
  const refusal = answer.kind === 'refused' ? 'NOT_ALLOWED' : answer.data.refusal;
  const { key, visitName, to } = step;
  if (refusal !== null) await refusedSteps.change((steps) => [...steps, { key, visitName, to, refusal }]);
  if (answer.kind === 'data' && answer.data.visit !== null) await show(answer.data.visit);
  await queue.change((steps) => steps.filter((one) => one.key !== key));
  if (refusal === 'LINK_ENDED') await closed('link-ended');
  else if (refusal !== null) void read();
  return true;
}

/** The visit as the service has it now. */
async function show(visit: CrewVisit): Promise<void> {
  etag = null;
  await keptDay.change((kept) => {
    if (kept === null || kept.day === null) return kept;
    const visits = kept.day.visits.map((one) => (one.id === visit.id ? visit : one));
    return { ...kept, day: { ...kept.day, visits } };
  });
}

// ---------------------------------------------------------------------------
// By itself

/** Reads and sends while the page is seen, and sends everything when it is left. */
export function goOn(): void {
  effect(alarmOfChanges);
  const isSeen = (): boolean => document.visibilityState === 'visible';
  setInterval(() => {
    now.value = Date.now();
    if (endOf(keptDay.value, serviceTime(now.value)) === 'forgotten') void closed('link-ended');
  }, 1_000);
  setInterval(() => {
    // Another tab may have taken a step.
    if (isSeen()) void readKept().then(read);
  }, READ_EVERY);
  addEventListener('online', () => void read());
  addEventListener('pagehide', () => void sendDue(true));
  document.addEventListener('visibilitychange', () => {
    if (!isSeen()) return void sendDue(true);
    now.value = Date.now();
    void read();
  });
}
