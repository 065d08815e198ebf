import type { Operation } from './api.ts';
import type { PlainKey } from './language.ts';
import type { PageRoute } from './parts/current-page.tsx';
import { match } from './router.ts';
import { isSandbox, may } from './session.ts';

/** Every page of the console, and its menu. */

export type Route = PageRoute & {
  /** The same for the pages below one of the menu. */
  title: PlainKey;
  /** Only for roles that may call the operation. */
  needs?: Operation;
};

/** The entries for the day, and those of them that a menu with the sections keeps: eight in all. */
const DAY = ['/', '/board', '/visits', '/bookings/new', '/customers'];
const DAY_OF_MANAGERS = ['/', '/board'];

/** The entries for the rest, with the pages of each: its tabs. Other pages are reached from these. */
const SECTIONS = {
  'nav.money': ['/payments', '/statements'],
  'nav.outgoing': ['/deliveries', '/messages'],
  'nav.reports': ['/utilisation', '/punctuality'],
  'nav.partners': ['/partners'],
  'nav.setup': ['/teams', '/zones', '/catalogue', '/schedules', '/policies'],
  'nav.administration': ['/tokens', '/audit', '/privacy-requests', '/alerts', '/clock'],
} as const satisfies Partial<Record<PlainKey, readonly string[]>>;

const PAGES: readonly Route[] = [
  { path: '/', title: 'nav.today', load: () => import('./pages/today.tsx') },
  { path: '/board', title: 'nav.board', load: () => import('./pages/board.tsx') },
  { path: '/visits', title: 'nav.visits', load: () => import('./pages/visits.tsx') },
  { path: '/series', title: 'nav.visits', load: () => import('./pages/series.tsx') },
  { path: '/series/:id', title: 'nav.visits', load: () => import('./pages/series.tsx') },
  { path: '/appointments', title: 'nav.visits', load: () => import('./pages/moved-lists.tsx') },
  { path: '/bookings', title: 'nav.visits', load: () => import('./pages/moved-lists.tsx') },
  {
    path: '/bookings/new',
    title: 'nav.newBooking',
    needs: 'createBookingForPartner',
    load: () => import('./pages/new-booking.tsx'),
  },
  { path: '/customers', title: 'nav.customers', load: () => import('./pages/customers.tsx') },
  { path: '/customers/:id', title: 'nav.customers', load: () => import('./pages/customer.tsx') },
  { path: '/customers/:id/copy', title: 'nav.customers', load: () => import('./pages/customer-copy.tsx') },
  { path: '/bookings/:id', title: 'nav.visits', load: () => import('./pages/booking.tsx') },
  { path: '/payments', title: 'nav.payments', load: () => import('./pages/payments.tsx') },
  { path: '/payments/:id', title: 'nav.payments', load: () => import('./pages/payment.tsx') },
  { path: '/statements', title: 'nav.statements', load: () => import('./pages/statements.tsx') },
  { path: '/statements/check', title: 'nav.statements', load: () => import('./pages/statements-check.tsx') },
  {
    path: '/statements/settings',
    title: 'nav.statements',
    load: () => import('./pages/statement-settings.tsx'),
  },
  { path: '/statements/:id', title: 'nav.statements', load: () => import('./pages/statement.tsx') },
  { path: '/deliveries', title: 'nav.deliveries', load: () => import('./pages/deliveries.tsx') },
  { path: '/deliveries/:id', title: 'nav.deliveries', load: () => import('./pages/delivery.tsx') },
  { path: '/messages', title: 'nav.messages', load: () => import('./pages/messages.tsx') },
  { path: '/partners', title: 'nav.partners', load: () => import('./pages/partners.tsx') },
  { path: '/partners/:id', title: 'nav.partners', load: () => import('./pages/partner.tsx') },
  { path: '/partners/:id/:part', title: 'nav.partners', load: () => import('./pages/partner.tsx') },
  { path: '/catalogue', title: 'nav.catalogue', load: () => import('./pages/services.tsx') },
  { path: '/catalogue/services/:id', title: 'nav.catalogue', load: () => import('./pages/service.tsx') },
  { path: '/catalogue/categories', title: 'nav.catalogue', load: () => import('./pages/categories.tsx') },
  { path: '/catalogue/tiers', title: 'nav.catalogue', load: () => import('./pages/tiers.tsx') },
  { path: '/catalogue/reasons', title: 'nav.catalogue', load: () => import('./pages/reasons.tsx') },
  { path: '/policies', title: 'nav.policies', load: () => import('./pages/policies.tsx') },
  { path: '/policies/:id', title: 'nav.policies', load: () => import('./pages/policy.tsx') },
  {
    path: '/privacy-requests',
    title: 'nav.privacy',
    needs: 'createPrivacyRequest',
    load: () => import('./pages/privacy-requests.tsx'),
  },
  { path: '/privacy-requests/:id', title: 'nav.privacy', load: () => import('./pages/privacy-request.tsx') },
  { path: '/audit', title: 'nav.audit', load: () => import('./pages/audit.tsx') },
  { path: '/tokens', title: 'nav.tokens', needs: 'listTokens', load: () => import('./pages/tokens.tsx') },
  { path: '/alerts', title: 'nav.alerts', needs: 'testAlerts', load: () => import('./pages/alerts.tsx') },
  { path: '/sessions', title: 'sessions.title', load: () => import('./pages/sessions.tsx') },
  { path: '/sheets', title: 'sheets.title', load: () => import('./pages/sheets.tsx') },
  { path: '/calls', title: 'calls.title', load: () => import('./pages/calls.tsx') },
  { path: '/away', title: 'nav.away', load: () => import('./pages/away.tsx') },
  { path: '/outside', title: 'nav.outside', load: () => import('./pages/outside.tsx') },
  { path: '/utilisation', title: 'nav.utilisation', load: () => import('./pages/utilisation.tsx') },
  { path: '/punctuality', title: 'nav.punctuality', load: () => import('./pages/punctuality.tsx') },
  { path: '/crew-steps', title: 'nav.crewSteps', load: () => import('./pages/crew-steps.tsx') },
  { path: '/teams', title: 'nav.teams', load: () => import('./pages/teams.tsx') },
  { path: '/zones', title: 'nav.zones', load: () => import('./pages/zones.tsx') },
  { path: '/schedules', title: 'nav.schedules', load: () => import('./pages/schedules.tsx') },
  { path: '/teams/:id', title: 'nav.teams', load: () => import('./pages/team.tsx') },
];

const SANDBOX_PAGES: readonly Route[] = [
  { path: '/clock', title: 'nav.clock', load: () => import('./pages/clock.tsx') },
];

export const ROUTES: readonly Route[] = isSandbox ? [...PAGES, ...SANDBOX_PAGES] : PAGES;

/** The pages of these paths that the role may see. */
const pagesAt = (paths: readonly string[]): Route[] =>
  paths.flatMap((wanted) =>
    ROUTES.filter(({ path, needs }) => path === wanted && (needs === undefined || may(needs))),
  );

export const mayOpen = (path: string): boolean => pagesAt([path]).length > 0;

type Section = { title: PlainKey; pages: Route[] };
export type MenuEntry = Section & { path: string };

/** The sections with a page that the role may see. */
export const sections = (): Section[] =>
  (Object.keys(SECTIONS) as (keyof typeof SECTIONS)[])
    .map((title) => ({ title, pages: pagesAt(SECTIONS[title]) }))
    .filter(({ pages }) => pages.length > 0);

/** The entries of the menu, and the folded ones: the sections for the roles that only look things up there. */
export function menuEntries(): { shown: MenuEntry[]; folded: MenuEntry[] } {
  const day = pagesAt(DAY).map((page) => ({ ...page, pages: [page] }));
  const rest = sections().map((section) => ({ ...section, path: section.pages[0]!.path }));
  if (!may('createTeam')) return { shown: day, folded: rest };
  const isKept = ({ path }: MenuEntry): boolean => DAY_OF_MANAGERS.includes(path);
  return { shown: [...day.filter(isKept), ...rest], folded: day.filter((entry) => !isKept(entry)) };
}

/** The title of the page at a path, which is that of its entry in the menu; undefined: there is none. */
export const titleAt = (at: string): PlainKey | undefined =>
  ROUTES.find(({ path }) => match(path, at) !== null)?.title;
