import { useRef } from 'preact/hooks';
import { call } from '../api.ts';
import type { BookingDetail, Placements } from '../contract.ts';
import { dayOf, number } from '../format.ts';
import { t } from '../language.ts';
import { Alternatives } from '../parts/alternatives.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { isStale, Loaded } from '../parts/failed.tsx';
import { CheckField, Form, type FormState, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { toast } from '../parts/toasts.tsx';
import { invalid, useQuery } from '../query.ts';
import { minutesBetween, timeAfter } from '../values.ts';

type Values = { date: string; start: string; teamId: string; force: boolean; reason: string };

/** Moves the appointment to another day, time or team; after a refusal it shows the reason and alternatives. */
export function MoveDialog({ booking, onClose }: { booking: BookingDetail; onClose: () => void }) {
  const { appointmentId, timeslot } = booking;
  const form: FormState<Values> = useForm(
    { date: booking.date.slice(0, 10), start: timeslot.startAt, teamId: '', force: false, reason: '' },
    ['appointments', 'bookings', 'availability'],
  );
  const { date } = form.values;
  const query = useQuery('listPlacements', date === '' ? null : { id: appointmentId, query: { date } }, [
    'availability',
    'appointments',
  ]);
  // The version that the reader saw first; after a refusal, the one shown then.
  const seen = useRef<number | undefined>(undefined);
  if (query.isCurrent) seen.current ??= query.answer?.data.version;
  if (isStale(form.failure)) seen.current = form.failure?.details.version;
  return (
    <Dialog title={t('booking.moveTitle')} onClose={onClose}>
      <Form
        form={form}
        submit={t('booking.move')}
        onClose={onClose}
        onDone={() => {
          toast(t('booking.moved'));
          onClose();
        }}
        send={async ({ start, teamId, force, reason }) => {
          // The service does not require a reason; the audit log should have one.
          if (force && reason.trim() === '') throw invalid(t('booking.reasonMissing'));
          return call(
            'updateAppointment',
            {
              id: appointmentId,
              body: {
                date,
                timeslot: {
                  startAt: start,
                  endAt: timeAfter(start, minutesBetween(timeslot.startAt, timeslot.endAt)),
                },
                ...(teamId !== '' && { teamId }),
                ...(force && { force, reason: reason.trim() }),
              },
            },
            { ifMatch: seen.current },
          );
        }}
      >
        {isStale(form.failure) && (
          <p>
            {t('booking.theirs', {
              when: `${dayOf(booking.date)} ${timeslot.startAt}–${timeslot.endAt}`,
              team: booking.team.name,
            })}
          </p>
        )}
        <Alternatives
          slots={form.failure?.details.alternatives ?? []}
          choose={({ date: other, startAt }) => {
            form.set('date', other);
            form.set('start', startAt);
            form.set('teamId', '');
          }}
        />
        <div class="columns">
          <TextField form={form} name="date" label={t('booking.date')} type="date" required />
          <Loaded query={query}>{({ data }) => <Places form={form} placements={data} />}</Loaded>
        </div>
        {form.failure !== null && !isStale(form.failure) && (
          <CheckField form={form} name="force" label={t('booking.force')} />
        )}
        {form.values.force && (
          <TextField form={form} name="reason" label={t('field.reason')} rows={2} required />
        )}
      </Form>
    </Dialog>
  );
}

/** The starts of the date, and each team with its detour or the reasons against it. */
function Places({
  form,
  placements: { starts, teams },
}: {
  form: FormState<Values>;
  placements: Placements;
}) {
  const { start } = form.values;
  const slotAt = (team: Placements['teams'][number], time: string) =>
    team.slots.find(({ startAt }) => startAt === time);
  const times = [...new Set([start, ...starts.map(({ startAt }) => startAt)])].sort();
  return (
    <>
      <SelectField
        form={form}
        name="start"
        label={t('booking.start')}
        {...(starts.length === 0 && { hint: t('booking.noStarts') })}
        options={times.map((time) => ({
          value: time,
          label: t('booking.startOption', {
            time,
            count: number(teams.filter((team) => slotAt(team, time)?.free).length),
          }),
        }))}
      />
      <SelectField
        form={form}
        name="teamId"
        label={t('field.team')}
        options={[
          { value: '', label: t('booking.anyTeam') },
          ...teams.map((team) => {
            const slot = slotAt(team, start);
            const label = slot?.free
              ? t('booking.teamOption', { team: team.name, km: number(slot.detourKm ?? 0) })
              : `${team.name} – ${t(`why.${team.reason ?? slot?.reason ?? 'OFF_SHIFT'}`)}`;
            return { value: team.id, label };
          }),
        ]}
      />
    </>
  );
}
