import { shortWeekdayName, weekdayName } from '../format.ts';
import { WEEK } from './week-bars.tsx';

/** The head of a table with the days of a week. */
export function WeekHead() {
  return (
    <thead>
      <tr>
        {WEEK.map((day) => (
          <th key={day} scope="col">
            <span aria-hidden="true">{shortWeekdayName(day)}</span>
            <span class="unseen">{weekdayName(day)}</span>
          </th>
        ))}
      </tr>
    </thead>
  );
}
