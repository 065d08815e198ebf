import { type Answer, call } from '../api.ts';
import type { CreateScheduleRequest, Schedule } from '../contract.ts';
import { afterOwnChanges, noteOwnChange } from '../own-changes.ts';

export type Effects = Answer<'createSchedule'>['data'];

/** A change of schedules that is previewed, then saved. */
export type ScheduleEdit =
  | { kind: 'create'; body: CreateScheduleRequest }
  | { kind: 'update'; schedule: Schedule; body: Partial<CreateScheduleRequest> }
  | { kind: 'remove'; schedule: Schedule };

type Told = { preview?: 'true' | 'false'; expect?: string };

/** Saves the change, or only previews it; returns what it does to sold visits and hours. */
export async function send(edit: ScheduleEdit, query: Told) {
  const data = await answerTo(edit, query);
  return { ...data, conflicts: data.appointments };
}

async function answerTo(edit: ScheduleEdit, query: Told): Promise<Effects> {
  if (edit.kind === 'create') return (await call('createSchedule', { query, body: edit.body })).data;
  const { id, version } = edit.schedule;
  if (edit.kind === 'remove') return (await call('removeSchedule', { id, query }, { ifMatch: version })).data;
  const sent = afterOwnChanges(id, version);
  const { data } = await call('updateSchedule', { id, query, body: edit.body }, { ifMatch: sent });
  if (data.isApplied && data.schedule !== null) noteOwnChange(id, sent, data.schedule.version);
  return data;
}
