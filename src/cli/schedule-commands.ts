import type { Command } from 'commander';
import { dateOf } from '../base/clock.ts';
import { FORMAT } from '../setup/content.ts';
import { listSchedules } from '../teams/schedule-queries.ts';
import { SchedulesQuery } from '../teams/schedule-schema.ts';
import { FIRST_TEMPLATE_YEAR, LAST_TEMPLATE_YEAR, templatesOf } from '../teams/schedule-templates.ts';
import { scheduleView } from '../teams/schedule-view.ts';
import { checked } from './arguments.ts';
import { ALL_ROWS, CliError, withMigrated } from './session.ts';
import { printJson, type Terminal } from './terminal.ts';

/** `partner-booking schedules …`: the hours of teams on certain dates. */
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
    .description('print seasons and holidays of a Hijri year as a file for "setup apply"')
    .argument('<year>', `${FIRST_TEMPLATE_YEAR} to ${LAST_TEMPLATE_YEAR}`)
    .action((text: string) => {
      const year = Number(text);
      if (!(Number.isInteger(year) && year >= FIRST_TEMPLATE_YEAR && year <= LAST_TEMPLATE_YEAR))
        throw new CliError(
          `there are templates of the years ${FIRST_TEMPLATE_YEAR} to ${LAST_TEMPLATE_YEAR}`,
        );
      const schedules = templatesOf(year).map(({ key: _key, ...template }) => template);
      printJson(terminal, { format: FORMAT, schedules });
    });
}
