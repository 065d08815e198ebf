import { addDays, type CalendarDate } from '../src/base/clock.ts';
import { reason } from './openapi-context.ts';
import { FAR, newSeries, series, skipped } from './openapi-series-operations.ts';
import type { Any } from './read-back.ts';
import { daySlot, nightSlot, type ReadContext, type Table } from './read-back-context.ts';

/** Requests about series, and the reads that show what they said (test/read-back.test.ts). */

/** Reads of one side, below its base. */
type Side = {
  base: string;
  read(c: ReadContext, path: string): Promise<Any>;
  readBooking(c: ReadContext, id: string): Promise<Any>;
};

/** Booked visits, at a time of day that no other request has. */
const booked = (c: ReadContext, visits: number): Promise<Any> =>
  series(c, { firstDate: daySlot().date, startAt: '16:00', visits });

export function seriesWrites({ base, read, readBooking }: Side): Table {
  const at = (id: string, more = ''): string => `${base}/series/${id}${more}`;
  const shownWith = async (c: ReadContext, id: string, show: (data: Any) => object) => {
    const data = await read(c, `/series/${id}`);
    return { data, shown: { ...data, ...show(data) } };
  };
  const cancelling = async (c: ReadContext, number: number) => ({
    reasonId: await reason(c.service),
    cancellationNotes: `Notes ${number}`,
  });
  /** The series after it, and how the booking of the visit was cancelled. */
  const withdrawn = async (
    c: ReadContext,
    id: string,
    index: number,
    show: (data: Any) => object = () => ({}),
  ) => {
    const found = await shownWith(c, id, show);
    const { cancellation } = await readBooking(c, found.data.dates[index - 1].bookingId);
    const { reasonId, notes: cancellationNotes } = cancellation;
    return { ...found, shown: { ...found.shown, reasonId, cancellationNotes } };
  };
  return {
    async *updateSeries(c) {
      const { seriesId: id } = await series(c);
      for (const terms of [
        { startAt: '10:00', weekday: 2, sameCrew: false },
        { startAt: '11:30', weekday: 4, sameCrew: true },
      ])
        yield { path: at(id), body: { fromIndex: 1, ...terms }, read: () => shownWith(c, id, () => ({})) };
    },
    async *placeSeriesVisit(c) {
      for (const { date, timeslot } of [daySlot(), nightSlot()]) {
        const id = await skipped(c);
        yield {
          path: at(id, '/visits/1/place'),
          body: { date, startAt: timeslot.startAt },
          read: () => shownWith(c, id, ({ dates }) => dates[0]),
        };
      }
    },
    async *skipSeriesVisit(c) {
      for (const number of [1, 2]) {
        const { seriesId: id } = await booked(c, 1);
        const body = await cancelling(c, number);
        yield { path: at(id, '/visits/1/skip'), body, read: () => withdrawn(c, id, 1) };
      }
    },
    async *pauseSeries(c) {
      for (const number of [1, 2]) {
        const { seriesId: id, firstDate } = await booked(c, 1);
        const to = addDays(firstDate as CalendarDate, number);
        yield {
          path: at(id, '/pause'),
          body: { from: firstDate, to, ...(await cancelling(c, number)) },
          read: () => withdrawn(c, id, 1, ({ pauses }) => pauses[0]),
        };
      }
    },
    async *endSeries(c) {
      for (const fromIndex of [2, 3]) {
        const { seriesId: id } = await booked(c, 3);
        yield {
          path: at(id, '/end'),
          body: { fromIndex, ...(await cancelling(c, fromIndex)) },
          read: () => withdrawn(c, id, fromIndex, ({ visits }) => ({ fromIndex: visits + 1 })),
        };
      }
    },
  };
}

/** For the sides that make series. */
export function seriesCreation({ base, read }: Pick<Side, 'base' | 'read'>): Table {
  return {
    async *createSeries(c) {
      const other = { ...c.customer, serviceId: c.serviceId };
      for (const [index, more] of [
        { firstDate: FAR, everyWeeks: 1, until: '2030-06-30', sameCrew: true },
        { ...other, firstDate: addDays(FAR, 1), startAt: '10:30', everyWeeks: 2, until: '2030-12-31' },
        { firstDate: FAR, everyWeeks: 4, visits: 6, sameCrew: false },
        { firstDate: FAR, visits: 12 },
      ].entries())
        yield {
          path: `${base}/series`,
          body: newSeries(c.world, { ...more, externalReference: `WEEKLY ${base} ${index}` }),
          read: async ({ seriesId }) => ({ data: await read(c, `/series/${seriesId}`) }),
        };
    },
  };
}
