import { reasonText } from '../board/placements.ts';
import type { Availability, Service } from '../contract.ts';
import { addDays, dateIn, dayOf, fromTo, money, number } from '../format.ts';
import { language, nameOf, t } from '../language.ts';
import { Alternatives } from '../parts/alternatives.tsx';
import { DateInput } from '../parts/date-input.tsx';
import { Loaded } from '../parts/failed.tsx';
import { TextField } from '../parts/fields.tsx';
import { Section } from '../parts/page.tsx';
import { useAll, useQuery } from '../query.ts';
import { dateOfAddress, place, setQuery } from '../router.ts';
import { now } from '../session.ts';
import { timeAfter } from '../values.ts';
import type { BookingForm, Where } from './new-booking-address.tsx';
import { moneyName } from './partner-settings.tsx';

/** Service and time of the booking: a service of the partner, at the partner's price, in a free slot. */

export type ServiceChoice = {
  options: readonly { service: Service; price: number }[] | null;
  chosen: Service | null;
};

/** The services that the partner may book; null: not loaded yet. */
export function useService(partnerId: string): ServiceChoice {
  const all = useAll('listCatalogueServices', { query: { isActive: 'true' } }, ['catalogue']);
  const own = useQuery('getPartnerServices', partnerId === '' ? null : { id: partnerId }, ['partners']);
  if (partnerId === '' || all.answer === undefined || own.answer === undefined)
    return { options: null, chosen: null };
  const { restricted, services } = own.answer.data;
  const prices = new Map(services.map(({ serviceId, price }) => [serviceId, price]));
  const options = all.answer
    .filter(({ id }) => !restricted || prices.has(id))
    .map((service) => ({ service, price: prices.get(service.id) ?? service.defaultPrice }));
  const wanted = place.value.query.get('serviceId');
  return { options, chosen: options.find(({ service }) => service.id === wanted)?.service ?? null };
}

/** The chosen date, else the next day. */
function chosenDate(): string {
  return dateOfAddress('date') ?? addDays(dateIn(now.value), 1);
}

const choose = (changes: Parameters<typeof setQuery>[0]): void =>
  setQuery({ date: chosenDate(), ...changes }, { replace: true });

export function SlotPart({
  partnerId,
  where,
  service: { options, chosen },
  form,
}: {
  partnerId: string;
  where: Where;
  service: ServiceChoice;
  form: BookingForm;
}) {
  const date = chosenDate();
  const start = place.value.query.get('start');
  const slots = useQuery(
    'explainAvailability',
    chosen === null || where === null ? null : { query: { ...where, serviceId: chosen.id, date } },
    ['availability', 'appointments', 'catalogue'],
  );
  const partner = useQuery('getPartner', partnerId === '' ? null : { id: partnerId }, ['partners']);
  return (
    <Section title={t('new.what')}>
      <div class="columns">
        <div class="field">
          <label for="new-service">
            {t('field.service')} <span class="faint small">({t('field.required')})</span>
          </label>
          <select
            id="new-service"
            value={chosen?.id ?? ''}
            disabled={options === null}
            aria-required="true"
            onChange={(event) => choose({ serviceId: event.currentTarget.value, start: null })}
          >
            <option value="">{t('new.choose')}</option>
            {options?.map(({ service, price }) => (
              <option key={service.id} value={service.id}>
                {t('new.serviceOption', {
                  name: nameOf(service),
                  price: money(price),
                  minutes: number(service.durationMinutes),
                })}
              </option>
            ))}
          </select>
          {options?.length === 0 && <span class="fault">{t('new.noService')}</span>}
          {partner.answer && (
            <span class="small faint">
              {t('new.money', { who: moneyName(partner.answer.data.paymentResponsibility) })}
            </span>
          )}
        </div>
        <div class="field">
          <label for="new-date">{t('booking.date')}</label>
          <DateInput
            id="new-date"
            plans
            value={date}
            min={dateIn(now.value)}
            onChange={(given) => choose({ date: given || null, start: null })}
          />
          <div class="buttons">
            <DayButton date={addDays(date, -1)} label={t('board.previousDay')} />
            <DayButton date={addDays(date, 1)} label={t('board.nextDay')} />
          </div>
        </div>
      </div>
      {chosen === null || where === null ? (
        <p class="faint">{t('new.first')}</p>
      ) : (
        <Loaded query={slots}>{({ data }) => <Slots availability={data} start={start} />}</Loaded>
      )}
      <TextField form={form} name="externalReference" label={t('field.reference')} ltr />
      {chosen !== null && start !== null && (
        <p role="status">
          {t('new.chosen', {
            day: dayOf(date),
            time: fromTo(start, timeAfter(start, chosen.durationMinutes)),
          })}
        </p>
      )}
    </Section>
  );
}

/** Why the booking was refused, and the alternatives. */
export function Refusal({ form: { failure } }: { form: BookingForm }) {
  if (failure?.code !== 'BOOKING_CREATION_FAILED') return null;
  const { reason = '', alternatives = [] } = failure.details;
  return (
    <div class="lost">
      <p>{t('new.refused', { reason: reasonText(reason) })}</p>
      <Alternatives
        slots={alternatives}
        choose={(slot) => choose({ date: slot.date, start: slot.startAt })}
      />
    </div>
  );
}

function DayButton({ date, label }: { date: string; label: string }) {
  return (
    <button
      type="button"
      class="small"
      disabled={date < dateIn(now.value)}
      onClick={() => choose({ date, start: null })}
    >
      {label}
    </button>
  );
}

/** Free starts inside the minimum notice, which the operator may book. */
function slotsInsideNotice({ starts, teams }: Availability) {
  return starts.flatMap(({ startAt, endAt, problem }, index) => {
    if (problem !== 'SLOT_INSIDE_NOTICE') return [];
    const free = teams.filter(({ slots }) => slots[index]?.free).length;
    return free === 0 ? [] : [{ startAt, endAt, teams: free }];
  });
}

function Slots({ availability, start }: { availability: Availability; start: string | null }) {
  const { slots, starts, hints, zone } = availability;
  const soon = slotsInsideNotice(availability);
  if (slots.length === 0 && soon.length === 0) {
    const problems = new Set(
      starts.flatMap(({ problem }) => (problem === null ? [] : [reasonText(problem)])),
    );
    return (
      <div class="empty">
        <p>{t('new.noSlots')}</p>
        <ul class="plain-list small">
          {[...problems, ...hints].map((line) => (
            <li key={line}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      </div>
    );
  }
  return (
    <>
      <SlotButtons title={t('new.slots')} zone={zone} slots={slots} start={start} />
      <SlotButtons title={t('new.soon')} zone={zone} slots={soon} start={start} />
    </>
  );
}

function SlotButtons({
  title,
  zone,
  slots,
  start,
}: {
  title: string;
  zone: Availability['zone'];
  slots: Availability['slots'];
  start: string | null;
}) {
  if (slots.length === 0) return null;
  return (
    <fieldset class="slots">
      <legend>
        {title} {zone && <span class="faint small">{<bdi>{nameOf(zone)}</bdi>}</span>}
      </legend>
      {slots.map(({ startAt, endAt, teams }) => (
        <button
          key={startAt}
          type="button"
          aria-pressed={startAt === start}
          title={t('new.teams', { count: number(teams) })}
          onClick={() => choose({ start: startAt })}
        >
          {fromTo(startAt, endAt)}
          <span class="unseen">
            {language.value === 'ar' ? '، ' : ', '}
            {t('new.teams', { count: number(teams) })}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
