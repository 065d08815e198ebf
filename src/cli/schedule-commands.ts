import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { dateOf } from '../base/clock.ts';
import { saveSchedule } from '../schedules/schedules.ts';
import { listSchedules } from '../teams/schedule-queries.ts';
import { CreateSchedule, SchedulesQuery, type UpdateSchedule } from '../teams/schedule-schema.ts';
import { FIRST_TEMPLATE_YEAR, LAST_TEMPLATE_YEAR, templatesOf } from '../teams/schedule-templates.ts';
import { scheduleView } from '../teams/schedule-view.ts';
import { checked } from './arguments.ts';
import { explain } from './explain.ts';
import { ALL_ROWS, CliError, type Session, withMigrated } from './session.ts';
import { printJson, type Terminal } from './terminal.ts';

/** `partner-booking schedules …`: the hours of teams on certain dates, from a file that can be kept with others. */
export function scheduleCommands(schedules: Command, terminal: Terminal): void {
  const { environment, print } = terminal;
  schedules
    .command('list')
    .description('list schedules that hold today or later, the strongest first')
    .option('--from <date>', 'those that hold on this Riyadh date or later; default today')
    .option('--to <date>', 'those that hold on this Riyadh date or earlier')
    .option('--json', 'print JSON')
    .action(async ({ json, ...options }: { from?: string; to?: string; json?: true }) => {
      const rows = await withMigrated(environment, async ({ db, now }) => {
        const query = checked(SchedulesQuery, { from: dateOf(now), ...options });
        return (await listSchedules(db, query, ALL_ROWS)).rows.map((row) => ({
          ...scheduleView(row),
          next: row.periods.find(([, last]) => last === null || last >= query.from!) ?? row.periods.at(-1)!,
        }));
      });
      if (json)
        return printJson(
          terminal,
          rows.map(({ next: _next, ...view }) => view),
        );
      print(
        ...rows.map(({ nameEn, priority, closed, weekly, next: [from, to] }) =>
          [
            `${from} to ${to ?? 'further notice'}`.padEnd(28),
            `${priority}`.padStart(5),
            (closed ? 'closed' : weekly === null ? 'breaks' : 'hours').padEnd(6),
            nameEn,
          ].join('  '),
        ),
      );
    });

  schedules
    .command('templates')
    .description(`print seasons and holidays of a Hijri year as a file for "schedules apply"`)
    .argument('<year>', `${FIRST_TEMPLATE_YEAR} to ${LAST_TEMPLATE_YEAR}`)
    .action((text: string) => {
      const year = Number(text);
      if (!(Number.isInteger(year) && year >= FIRST_TEMPLATE_YEAR && year <= LAST_TEMPLATE_YEAR))
        throw new CliError(
          `there are templates of the years ${FIRST_TEMPLATE_YEAR} to ${LAST_TEMPLATE_YEAR}`,
        );
      printJson(
        terminal,
        templatesOf(year).map(({ key: _key, ...template }) => template),
      );
    });

  schedules
    .command('apply')
    .description(
      'create the schedules of a JSON file, or make those of the same English name equal to it; no other is touched',
    )
    .argument('<file>', 'an array of bodies of POST /operator/schedules')
    .option('--preview', 'only show what would change, and the visits that would lie outside of the hours')
    .action(async (file: string, { preview = false }: { preview?: true | false }) => {
      const inputs = readInputs(file);
      await withMigrated(environment, async (session) => {
        for (const input of inputs) print(...(await applyOne(session, input, preview)));
      });
    });
}

/** The schedules of a file, all of them checked. Throws CliError. */
function readInputs(file: string): CreateSchedule[] {
  const list = parsed(file);
  if (!Array.isArray(list)) throw new CliError(`${file} must have an array of schedules`);
  const inputs = list.map((item: unknown, index) => {
    try {
      return checked(CreateSchedule, Object(item));
    } catch (error) {
      throw new CliError(`schedule ${index + 1}: ${explain(error as Error)}`);
    }
  });
  const twice = inputs.find(
    ({ nameEn }, index) => index !== inputs.findIndex((one) => one.nameEn === nameEn),
  );
  if (twice !== undefined) throw new CliError(`two schedules have the name ${twice.nameEn}`);
  return inputs;
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The defaults of a new schedule: what is left out of the file does not stay as it was. */
const leftOut = ({ yearly }: CreateSchedule): UpdateSchedule => ({
  ...(yearly == null && { to: null }),
  zoneIds: null,
  teamIds: null,
  closed: false,
  weekly: null,
  breaks: [],
  priority: 0,
});

/** Applies a schedule, and returns the lines that say what it did. */
async function applyOne(
  { db, now, actor }: Session,
  input: CreateSchedule,
  isPreview: boolean,
): Promise<string[]> {
  const { rows } = await listSchedules(db, { search: input.nameEn }, ALL_ROWS);
  const [known, second] = rows.filter((row) => row.name_en === input.nameEn.trim());
  if (second !== undefined) throw new CliError(`there are several schedules with the name ${input.nameEn}`);
  const { schedule, appointments } = await saveSchedule(db, now, actor, {
    change:
      known === undefined
        ? { kind: 'create', input }
        : { kind: 'update', id: known.id, input: { ...leftOut(input), ...input }, wanted: null },
    preview: isPreview ? 'true' : 'false',
  });
  const done =
    known === undefined ? 'created' : schedule!.version === known.version ? 'unchanged' : 'changed';
  const { total, rows: visits } = appointments;
  return [
    `${isPreview && done !== 'unchanged' ? `would be ${done}` : done}: ${input.nameEn}${
      total === 0 ? '' : `; ${total} sold visits outside of the hours of their teams`
    }`,
    ...visits.map(
      ({ trackingReference, startsAt, zone, contact }) =>
        `  ${trackingReference}  ${startsAt}  ${zone.name}  ${contact.name} ${contact.phone}`,
    ),
  ];
}
