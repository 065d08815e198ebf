import { useState } from 'preact/hooks';
import type { PlanChange } from './changes.ts';
import { REASONS } from './contract.ts';
import { dateOf, workingDay } from './days.ts';
import { HoldButton, ownClick } from './hold-button.tsx';
import { Icon, type IconName } from './icons.tsx';
import { serviceTime } from './kept.ts';
import { dateText, readsArabic, t, timeText } from './language.ts';
import { isOver, SHOWN, type ShownVisit } from './steps.ts';
import { now, planChanges, seePlan, takeStep, undoStep } from './work.ts';

/** What the office changed, until the crew has seen it. */
export function PlanBanner() {
  const changes = planChanges.value;
  if (changes.length === 0) return null;
  return (
    <div class="banner changed">
      <strong>{t('planChanged')}</strong>
      <ul>
        {changes.map((change) => (
          <li key={change.id}>
            <bdi>{[startText(change.startsAt, change.before), change.district].join(' ').trim()}</bdi>:{' '}
            {changeText(change)}
          </li>
        ))}
      </ul>
      <button type="button" class="big plain" onClick={() => void seePlan()}>
        <span>{t('seen')}</span>
      </button>
    </div>
  );
}

/** A start, with its date where the other one has another. */
function startText(startsAt: string, other: string | null): string {
  const [at, otherAt] = [startsAt, other ?? startsAt].map(Date.parse) as [number, number];
  return `${timeText(at)}${dateOf(at) === dateOf(otherAt) ? '' : ` ${dateText(dateOf(at))}`}`;
}

const changeText = ({ changes, startsAt, before }: PlanChange): string =>
  changes
    .map((change) => t(`change.${change}`, { before: before === null ? '' : startText(before, startsAt) }))
    .join(' · ');

/** A visit, closed or with all that its crew has to know. */
export function Visit({
  visit,
  isToday,
  isCurrent,
}: {
  visit: ShownVisit;
  isToday: boolean;
  isCurrent: boolean;
}) {
  const { status, startAt, endAt, address, service } = visit;
  const change = planChanges.value.find(({ id }) => id === visit.id);
  return (
    <li class={`visit ${isOver(visit) ? 'over' : ''} ${isCurrent ? 'current' : ''}`} id={visit.id}>
      <details open={isCurrent}>
        <summary>
          <Icon name={SHOWN[status].as} />
          <span class="when">
            <strong>
              <bdi>{startAt}</bdi> – <bdi>{endAt}</bdi>
            </strong>
            {visit.date !== workingDay(visit) && <span class="status">{dateText(visit.date)}</span>}
            <span class="status">{t(`is.${SHOWN[status].as}`)}</span>
            {visit.lateMinutes !== null && visit.mayBeLate && (
              <span class="late">+{t('minutes', { minutes: visit.lateMinutes })}</span>
            )}
          </span>
          <span class="where">
            <bdi>{address.districtName ?? address.cityName ?? ''}</bdi>
            <bdi>{readsArabic() ? service.nameAr : service.nameEn}</bdi>
          </span>
          {change !== undefined && <span class="mark">{changeText(change)}</span>}
        </summary>
        <Facts visit={visit} />
        {isToday && <Actions visit={visit} />}
      </details>
    </li>
  );
}

/** The telephone's own map: each system has another address for it. */
function mapAddress({ latitude, longitude }: ShownVisit['address']): string | null {
  if (latitude === null || longitude === null) return null;
  const place = `${latitude},${longitude}`;
  if (/iPhone|iPad|Macintosh/.test(navigator.userAgent)) return `https://maps.apple.com/?daddr=${place}`;
  if (/Android/.test(navigator.userAgent)) return `geo:${place}?q=${place}`;
  return `https://www.google.com/maps/search/?api=1&query=${place}`;
}

/** The address, the door first. */
function placeText(address: ShownVisit['address']): string {
  const { unit, floor, buildingNumber, streetName, districtName, cityName, postalCode, shortAddress } =
    address;
  const parts = [
    unit && t('unit', { unit }),
    floor && t('floor', { floor }),
    buildingNumber && t('building', { number: buildingNumber }),
    streetName,
    districtName,
    [cityName, postalCode].filter(Boolean).join(' '),
    shortAddress,
  ].filter((part): part is string => Boolean(part));
  // Latin text keeps its own punctuation.
  return parts
    .map((part, place) => {
      const comma = /\p{Script=Arabic}\P{L}*$/u.test(part) ? '،' : ',';
      return place === parts.length - 1 ? part : part + comma;
    })
    .join(' ');
}

/** A text for the crew; nothing without one. */
function Note({ icon, title, text }: { icon: IconName; title: string; text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <p class="note">
      <Icon name={icon} />
      <span>
        <strong>{title}</strong>
        <br />
        <bdi>{text}</bdi>
      </span>
    </p>
  );
}

function Facts({ visit }: { visit: ShownVisit }) {
  const { address, customer, notes, payment, endsAt, name, status } = visit;
  const map = mapAddress(address);
  // The list may be an old one.
  const mayCall = serviceTime(now.value) < Date.parse(endsAt);
  const maySee = !isOver(visit) && (mayCall || status.startsWith('In '));
  const phone = mayCall && !isOver(visit) ? visit.phone : null;
  return (
    <div class="facts">
      <p>
        <bdi>{placeText(address)}</bdi>
      </p>
      <div class="pair">
        {map !== null && (
          <a class="big plain" href={map} target="_blank" rel="noreferrer">
            <Icon name="map" />
            <span>{t('map')}</span>
          </a>
        )}
        {phone !== null && (
          <a class="big plain" href={`tel:${phone}`}>
            <Icon name="call" />
            <span>{t('call')}</span>
          </a>
        )}
      </div>
      <Note icon="notes" title={t('accessCode')} text={maySee ? visit.accessCode : null} />
      {payment.isAwaited && <p class="warning">{t('awaitsPayment')}</p>}
      <details class="more">
        <summary>
          {t('more')}: <bdi>{customer}</bdi>
          {[notes, maySee ? visit.instructions : null, address.directions].some(Boolean) && (
            <Icon name="notes" />
          )}
          {payment.state === 'DUE' && <Icon name="money" />}
        </summary>
        <p>
          <bdi>{customer}</bdi> <bdi class="faint">{name}</bdi>
        </p>
        <Note icon="map" title={t('directions')} text={address.directions} />
        {phone === null && !isOver(visit) && mayCall && <p class="faint">{t('callLater')}</p>}
        <Note icon="notes" title={t('instructions')} text={maySee ? visit.instructions : null} />
        <Note icon="notes" title={t('notes')} text={notes} />
        <p class={`money ${payment.state === 'DUE' ? 'due' : ''}`}>
          <Icon name="money" />
          <span>{t(payment.state, { amount: payment.amount })}</span>
        </p>
      </details>
    </div>
  );
}

function Actions({ visit }: { visit: ShownVisit }) {
  const [givesUp, setGivesUp] = useState(false);
  const [note, setNote] = useState('');
  const { step, mayGiveUp, mayBeLate, waiting } = visit;
  const seconds = waiting === null ? 0 : Math.ceil((waiting.sendAt - now.value) / 1_000);
  return (
    <div class="actions">
      {step === 'Finished' && !givesUp && <NoteField label={t('note')} value={note} onInput={setNote} />}
      <div class="thumb">
        {waiting !== null && seconds > 0 && (
          <button type="button" class="big undo" onClick={ownClick(() => undoStep(waiting))}>
            <Icon name="undo" />
            <span>{t('undo')}</span>
            <small>{t('undoIn', { seconds })}</small>
          </button>
        )}
        {step !== null && !givesUp && (
          <HoldButton
            key={step}
            tone="go"
            label={t(`do.${step}`)}
            icon={<Icon name={step} />}
            onTaken={() => takeStep(visit, step, step === 'Finished' ? { text: note } : {})}
          />
        )}
      </div>
      {mayBeLate && !givesUp && <Delay visit={visit} />}
      {mayGiveUp && !givesUp && (
        <button type="button" class="big plain" onClick={() => setGivesUp(true)}>
          <Icon name="Cannot Complete" />
          <span>{t('do.Cannot Complete')}</span>
        </button>
      )}
      {mayGiveUp && givesUp && <GivingUp visit={visit} onClose={() => setGivesUp(false)} />}
    </div>
  );
}

/** Words for the office. */
function NoteField({
  label,
  value,
  onInput,
}: {
  label: string;
  value: string;
  onInput: (value: string) => void;
}) {
  return (
    <label class="words">
      {label}
      <input
        type="text"
        maxLength={500}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** Minutes after the start that one tap reports. */
const DELAYS = [15, 30, 45, 60];

/** The team runs late: one tap, which can be undone as a step. */
function Delay({ visit }: { visit: ShownVisit }) {
  const delays = visit.lateMinutes === null ? DELAYS : [...DELAYS, 0];
  return (
    <fieldset class="delay">
      <legend>{t('do.Late')}</legend>
      {delays.map((minutes) => (
        <button
          key={minutes}
          type="button"
          class="big plain"
          aria-pressed={visit.lateMinutes === minutes}
          onClick={ownClick(() => void takeStep(visit, 'Late', { minutes }))}
        >
          <span>{minutes === 0 ? t('onTime') : t('minutes', { minutes })}</span>
        </button>
      ))}
      {visit.lateMinutes !== null && <p>{t('late', { minutes: visit.lateMinutes })}</p>}
    </fieldset>
  );
}

/** Why the visit cannot be done: a reason as a pictogram, and words if the crew has some. */
function GivingUp({ visit, onClose }: { visit: ShownVisit; onClose: () => void }) {
  const [text, setText] = useState('');
  return (
    <fieldset class="why">
      <legend>{t('why')}</legend>
      <NoteField label={t('moreWords')} value={text} onInput={setText} />
      {REASONS.map((reason) => (
        <HoldButton
          key={reason}
          tone="stop"
          label={t(`why.${reason}`)}
          icon={<Icon name={reason} />}
          onTaken={() => {
            onClose();
            return takeStep(visit, 'Cannot Complete', { reason, text });
          }}
        />
      ))}
      <button type="button" class="big plain" onClick={onClose}>
        <span>{t('back')}</span>
      </button>
    </fieldset>
  );
}
