import type { PageRoute } from '../parts/current-page.tsx';
import type { Operation } from './api.ts';
import type { PortalKey } from './language.ts';

/** Every page of the portal. */

export type PortalRoute = PageRoute & {
  /** Its name in the menu; without one it is reached from other pages. */
  title?: PortalKey;
  /** Only for sessions that may call the operation. */
  needs?: Operation;
  /** Absent in production. */
  isSandboxOnly?: boolean;
};

export const ROUTES: readonly PortalRoute[] = [
  { path: '/', title: 'nav.overview', load: () => import('./pages/overview.tsx') },
  {
    path: '/requests',
    title: 'nav.requests',
    needs: 'listRequests',
    load: () => import('./pages/requests.tsx'),
  },
  { path: '/requests/:id', load: () => import('./pages/request.tsx') },
  {
    path: '/webhooks',
    title: 'nav.webhooks',
    needs: 'listSubscriptions',
    load: () => import('./pages/webhooks.tsx'),
  },
  {
    path: '/deliveries',
    title: 'nav.deliveries',
    needs: 'listDeliveries',
    load: () => import('./pages/deliveries.tsx'),
  },
  { path: '/deliveries/:id', load: () => import('./pages/delivery.tsx') },
  {
    path: '/bookings',
    title: 'nav.bookings',
    needs: 'listBookings',
    load: () => import('./pages/bookings.tsx'),
  },
  { path: '/series', title: 'nav.series', needs: 'listSeries', load: () => import('./pages/series.tsx') },
  { path: '/series/:id', load: () => import('./pages/series.tsx') },
  { path: '/holds', title: 'nav.holds', needs: 'listHolds', load: () => import('./pages/holds.tsx') },
  {
    path: '/customers',
    title: 'nav.customers',
    needs: 'findContacts',
    load: () => import('./pages/customers.tsx'),
  },
  { path: '/customers/:id', load: () => import('./pages/customer.tsx') },
  { path: '/bookings/:id', load: () => import('./pages/booking.tsx') },
  {
    path: '/statements',
    title: 'nav.statements',
    needs: 'listStatements',
    load: () => import('./pages/statements.tsx'),
  },
  { path: '/statements/:id', load: () => import('./pages/statement.tsx') },
  {
    path: '/sandbox',
    title: 'nav.sandbox',
    needs: 'listCustomers',
    isSandboxOnly: true,
    load: () => import('./pages/sandbox.tsx'),
  },
];
