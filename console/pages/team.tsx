import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { ChangedTeam, Team } from '../contract.ts';
import { dateIn, number } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { useServiceOptions, useZoneOptions } from '../options.ts';
import { previewed } from '../parts/change-preview.tsx';
import { CrewLinks } from '../parts/crew-links.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loaded } from '../parts/failed.tsx';
import { CheckField, ChoicesField, Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import type { Option } from '../parts/filters.tsx';
import { Page, Section } from '../parts/page.tsx';
import { TeamPhone } from '../parts/phone.tsx';
import { currentOf, DatedHours, ShiftsEditor } from '../parts/shifts-editor.tsx';
import { TeamHours } from '../parts/team-hours.tsx';
import { TimeOffMonth } from '../parts/time-off-month.tsx';
import { toast } from '../parts/toasts.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { WeekBars } from '../parts/week-bars.tsx';
import { useAll, useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may, now } from '../session.ts';
import { requiredNumber, westernDigits } from '../values.ts';

/** One team: its skills, zones, shifts and time off. */
export default function TeamPage({ params: { id } }: PageProps) {
  const query = useQuery('getTeam', { id: id! }, ['availability', 'catalogue']);
  return (
    <Loaded query={query}>
      {({ data: team }) => (
        <Page
          title={nameOf(team)}
          actions={
            <>
              <CrewLinks team={team} />
              <a class="button" href={href('/sheets', { teamId: team.id })}>
                {t('sheets.printDay')}
              </a>
              <a class="button" href={href('/board', { zoneId: team.homeZoneId ?? team.zoneIds[0] })}>
                {t('teams.onBoard')}
              </a>
            </>
          }
        >
          <Parts team={team} reload={query.reload} />
        </Page>
      )}
    </Loaded>
  );
}

/** Edits stay when the team changes meanwhile; saving them is then refused as a version conflict. */
function Parts({ team, reload }: { team: Team; reload: () => void }) {
  const [edited, setEdited] = useState({ team, reloads: 0 });
  const today = dateIn(now.value);
  const schedules = useAll('listSchedules', { query: { from: today } }, ['availability']);
  const dated = schedules.answer
    ?.filter(({ teamIds, yearly, weekly, closed }) => {
      const hasHours = weekly !== null || closed;
      return teamIds?.join() === team.id && yearly === null && hasHours;
    })
    .sort((one, other) => one.from!.localeCompare(other.from!));
  const isNewer = team.version > edited.team.version;
  /** Both forms go on from the new version: each keeps what was edited since it was sent. */
  function changed(latest: ChangedTeam): void {
    setEdited(({ reloads }) => ({ team: latest, reloads }));
  }
  return (
    <>
      {isNewer && (
        <div class="lost" role="status">
          <p>{t('teams.changedMeanwhile')}</p>
          <button
            type="button"
            onClick={() => {
              setEdited(({ reloads }) => ({ team, reloads: reloads + 1 }));
              reload();
            }}
          >
            {t('teams.reload')}
          </button>
        </div>
      )}
      <Section title={t('teams.week')}>
        <Loaded query={{ ...schedules, answer: dated }}>
          {(dated) => (
            <>
              {may('updateTeam') ? (
                <ShiftsEditor
                  key={`${edited.reloads} ${currentOf(dated)?.id}`}
                  team={edited.team}
                  dated={dated}
                  onSaved={changed}
                />
              ) : (
                <WeekBars shifts={team.shifts} />
              )}
              <DatedHours dated={dated} />
            </>
          )}
        </Loaded>
      </Section>
      <Section title={t('teams.hoursOn')}>
        <TeamHours teamId={team.id} />
      </Section>
      <Section title={t('teams.timeOff')}>
        <TimeOffMonth team={team} />
      </Section>
      <Section title={t('teams.facts')}>
        <Skills key={edited.reloads} team={edited.team} onSaved={changed} />
      </Section>
    </>
  );
}

const namesOf = (ids: readonly string[], options: readonly Option[]): string =>
  options
    .filter(({ value }) => ids.includes(value))
    .map(({ label }) => label)
    .join(', ');

const factsOf = (team: Team) => ({
  name: team.name,
  nameAr: team.nameAr ?? '',
  phone: team.phone ?? '',
  travelBufferMinutes: String(team.travelBufferMinutes),
  isActive: team.isActive,
  homeZoneId: team.homeZoneId ?? '',
  zoneIds: team.zoneIds as readonly string[],
  serviceIds: team.serviceIds as readonly string[],
});

function Skills({ team, onSaved }: { team: Team; onSaved: (saved: ChangedTeam) => void }) {
  const zones = useZoneOptions();
  const services = useServiceOptions();
  const form = useForm(factsOf(team), ['availability', 'appointments']);
  useUnsaved(form.isChanged);
  if (!may('updateTeam')) {
    return (
      <Facts
        facts={[
          team.phone !== null && { label: t('teams.phone'), value: <TeamPhone team={team} /> },
          { label: t('teams.buffer'), value: number(team.travelBufferMinutes) },
          { label: t('teams.zones'), value: <bdi>{namesOf(team.zoneIds, zones)}</bdi> },
          team.homeZoneId !== null && {
            label: t('teams.homeZone'),
            value: <bdi>{namesOf([team.homeZoneId], zones)}</bdi>,
          },
          { label: t('teams.skills'), value: <bdi>{namesOf(team.serviceIds, services)}</bdi> },
        ]}
      />
    );
  }
  return (
    <Form
      form={form}
      submit={t('act.save')}
      send={async (sent) => {
        const { nameAr, phone, zoneIds, homeZoneId, serviceIds, travelBufferMinutes, ...values } = sent;
        const body = {
          ...values,
          nameAr: nameAr.trim() === '' ? null : nameAr,
          phone: phone.trim() === '' ? null : westernDigits(phone.trim()),
          travelBufferMinutes: requiredNumber(travelBufferMinutes),
          zoneIds: [...zoneIds],
          homeZoneId: homeZoneId === '' ? null : homeZoneId,
          serviceIds: [...serviceIds],
        };
        const data = await previewed(
          async (query) =>
            (await call('updateTeam', { id: team.id, query, body }, { ifMatch: team.version })).data,
        );
        onSaved(data);
        form.saved(sent, factsOf(data));
        toast(t('act.saved'));
      }}
    >
      <div class="columns">
        <TextField form={form} name="name" label={t('cat.nameEn')} required />
        <TextField form={form} name="nameAr" rtl label={t('cat.nameAr')} />
        <TextField form={form} name="phone" ltr label={t('teams.phone')} />
        <TextField form={form} name="travelBufferMinutes" type="number" label={t('teams.buffer')} />
      </div>
      <CheckField form={form} name="isActive" label={t('teams.isActive')} />
      <ChoicesField form={form} name="zoneIds" label={t('teams.zones')} options={zones} />
      <SelectField
        form={form}
        name="homeZoneId"
        label={t('teams.homeZone')}
        hint={t('teams.homeZoneHint')}
        options={[
          { value: '', label: t('teams.firstZone') },
          ...zones.filter(
            ({ value }) => form.values.zoneIds.includes(value) || value === form.values.homeZoneId,
          ),
        ]}
      />
      <ChoicesField form={form} name="serviceIds" label={t('teams.skills')} options={services} />
    </Form>
  );
}
