import { useEffect } from 'preact/hooks';
import { t } from '../language.ts';
import { go, href, place } from '../router.ts';

/** The addresses of the lists before they were one; links of the service and of people have them. */

/** Of the list of bookings; without a filter it had everything. */
export function visitsOfBookings(query: URLSearchParams): Record<string, string> {
  const { phone, sortBy, ...others } = Object.fromEntries(query);
  return {
    view: 'all',
    ...others,
    ...(phone !== undefined && { search: phone }),
    ...(sortBy !== undefined && { sortBy: sortBy === 'date' ? 'startsAt' : sortBy }),
  };
}

/** Orders of the list of appointments that the one of bookings has with the same meaning. */
const KEPT_ORDERS = ['startsAt', 'createdAt'];

/** Of the list of appointments, whose `status` was that of the appointment. */
export function visitsOfAppointments(query: URLSearchParams): Record<string, string> {
  const { date, status, sortBy, sortOrder, ...others } = Object.fromEntries(query);
  const sorts = sortBy !== undefined && KEPT_ORDERS.includes(sortBy);
  return {
    view: 'all',
    sortBy: sorts ? sortBy : 'startsAt',
    sortOrder: (sorts && sortOrder) || 'ASC',
    ...others,
    ...(date !== undefined && { fromDate: date, toDate: date }),
    ...(status !== undefined && { appointmentStatus: status }),
  };
}

export default function MovedList() {
  const { path, query } = place.value;
  useEffect(() => {
    const read = path.startsWith('/appointments') ? visitsOfAppointments : visitsOfBookings;
    go(href('/visits', read(query)), { replace: true });
  }, []);
  return <p class="faint">{t('app.loading')}</p>;
}
