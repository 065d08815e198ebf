import type { Operation } from './api.ts';
import type { PlainKey } from './language.ts';
import type { PageRoute } from './parts/current-page.tsx';
import { isSandbox } from './session.ts';

/** Every page of the console. */

export type Route = PageRoute & {
  title: PlainKey;
  /** Its group in the menu; without one it is reached from other pages. */
  group?: Group;
  /** Only for roles that may call the operation. */
  needs?: Operation;
};

export const GROUPS = ['nav.groupDay', 'nav.groupMoney', 'nav.groupSetup'] as const satisfies PlainKey[];
type Group = (typeof GROUPS)[number];

const PAGES: readonly Route[] = [
  {
    path: '/',
    title: 'nav.today',
    group: 'nav.groupDay',
    load: () => import('./pages/today.tsx'),
  },
  {
    path: '/board',
    title: 'nav.board',
    group: 'nav.groupDay',
    load: () => import('./pages/board.tsx'),
  },
  {
    path: '/visits',
    title: 'nav.visits',
    group: 'nav.groupDay',
    load: () => import('./pages/visits.tsx'),
  },
  { path: '/appointments', title: 'nav.visits', load: () => import('./pages/moved-lists.tsx') },
  { path: '/bookings', title: 'nav.visits', load: () => import('./pages/moved-lists.tsx') },
  {
    path: '/bookings/new',
    title: 'nav.newBooking',
    group: 'nav.groupDay',
    needs: 'createBookingForPartner',
    load: () => import('./pages/new-booking.tsx'),
  },
  { path: '/customers/:id', title: 'nav.customer', load: () => import('./pages/customer.tsx') },
  { path: '/bookings/:id', title: 'nav.visits', load: () => import('./pages/booking.tsx') },
  {
    path: '/payments',
    title: 'nav.payments',
    group: 'nav.groupMoney',
    load: () => import('./pages/payments.tsx'),
  },
  { path: '/payments/:id', title: 'nav.payments', load: () => import('./pages/payment.tsx') },
  {
    path: '/deliveries',
    title: 'nav.deliveries',
    group: 'nav.groupMoney',
    load: () => import('./pages/deliveries.tsx'),
  },
  { path: '/deliveries/:id', title: 'nav.deliveries', load: () => import('./pages/delivery.tsx') },
  {
    path: '/messages',
    title: 'nav.messages',
    group: 'nav.groupMoney',
    load: () => import('./pages/messages.tsx'),
  },
  {
    path: '/partners',
    title: 'nav.partners',
    group: 'nav.groupSetup',
    load: () => import('./pages/partners.tsx'),
  },
  { path: '/partners/:id', title: 'nav.partners', load: () => import('./pages/partner.tsx') },
  { path: '/partners/:id/:part', title: 'nav.partners', load: () => import('./pages/partner.tsx') },
  {
    path: '/catalogue',
    title: 'nav.catalogue',
    group: 'nav.groupSetup',
    load: () => import('./pages/services.tsx'),
  },
  { path: '/catalogue/services/:id', title: 'nav.catalogue', load: () => import('./pages/service.tsx') },
  { path: '/catalogue/categories', title: 'nav.catalogue', load: () => import('./pages/categories.tsx') },
  { path: '/catalogue/tiers', title: 'nav.catalogue', load: () => import('./pages/tiers.tsx') },
  { path: '/catalogue/reasons', title: 'nav.catalogue', load: () => import('./pages/reasons.tsx') },
  {
    path: '/policies',
    title: 'nav.policies',
    group: 'nav.groupSetup',
    load: () => import('./pages/policies.tsx'),
  },
  { path: '/policies/:id', title: 'nav.policies', load: () => import('./pages/policy.tsx') },
  {
    path: '/privacy-requests',
    title: 'nav.privacy',
    group: 'nav.groupSetup',
    needs: 'createPrivacyRequest',
    load: () => import('./pages/privacy-requests.tsx'),
  },
  {
    path: '/privacy-requests/:id',
    title: 'nav.privacy',
    load: () => import('./pages/privacy-request.tsx'),
  },
  {
    path: '/audit',
    title: 'nav.audit',
    group: 'nav.groupSetup',
    load: () => import('./pages/audit.tsx'),
  },
  {
    path: '/tokens',
    title: 'nav.tokens',
    group: 'nav.groupSetup',
    needs: 'listTokens',
    load: () => import('./pages/tokens.tsx'),
  },
  { path: '/sessions', title: 'sessions.title', load: () => import('./pages/sessions.tsx') },
  { path: '/sheets', title: 'sheets.title', load: () => import('./pages/sheets.tsx') },
  { path: '/away', title: 'nav.away', load: () => import('./pages/away.tsx') },
  { path: '/outside', title: 'nav.outside', load: () => import('./pages/outside.tsx') },
  {
    path: '/utilisation',
    title: 'nav.utilisation',
    group: 'nav.groupDay',
    load: () => import('./pages/utilisation.tsx'),
  },
  {
    path: '/punctuality',
    title: 'nav.punctuality',
    group: 'nav.groupDay',
    load: () => import('./pages/punctuality.tsx'),
  },
  { path: '/crew-steps', title: 'nav.crewSteps', load: () => import('./pages/crew-steps.tsx') },
  {
    path: '/teams',
    title: 'nav.teams',
    group: 'nav.groupSetup',
    load: () => import('./pages/teams.tsx'),
  },
  {
    path: '/zones',
    title: 'nav.zones',
    group: 'nav.groupSetup',
    load: () => import('./pages/zones.tsx'),
  },
  {
    path: '/schedules',
    title: 'nav.schedules',
    group: 'nav.groupSetup',
    load: () => import('./pages/schedules.tsx'),
  },
  { path: '/teams/:id', title: 'nav.teams', load: () => import('./pages/team.tsx') },
];

const SANDBOX_PAGES: readonly Route[] = [
  {
    path: '/clock',
    title: 'nav.clock',
    group: 'nav.groupSetup',
    load: () => import('./pages/clock.tsx'),
  },
];

export const ROUTES: readonly Route[] = isSandbox ? [...PAGES, ...SANDBOX_PAGES] : PAGES;
