import { useEffect } from 'preact/hooks';
import { pending } from '../calls.ts';
import { timeOfDay } from '../format.ts';
import { language, setLanguage, t } from '../language.ts';
import { CurrentPage } from '../parts/current-page.tsx';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { MenuButton } from '../parts/menu-button.tsx';
import { Questions } from '../parts/questions.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { href, place } from '../router.ts';
import { isSandbox, now, token } from '../session.ts';
import { p } from './language.ts';
import { Limited } from './limited.tsx';
import { ROUTES } from './routes.ts';
import { SignIn } from './sign-in.tsx';
import { leave, may, useVisitor, visitor } from './visitor.ts';

/** The frame of every page of the portal. */
export function PortalApp() {
  useVisitor();
  useEffect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = language.value === 'ar' ? 'rtl' : 'ltr';
  }, [language.value]);
  return (
    <>
      {pending.value > 0 && <div class="progress" role="presentation" />}
      <a class="skip" href="#main">
        {t('app.skip')}
      </a>
      <Header />
      <nav class="side" aria-label={t('app.sections')}>
        <Menu />
      </nav>
      <main id="main" tabIndex={-1}>
        <Limited />
        <ErrorBoundary at={place.value}>
          <CurrentPage routes={ROUTES} />
        </ErrorBoundary>
      </main>
      {token.value === null && <SignIn />}
      <Questions />
      <Toasts />
    </>
  );
}

function Header() {
  return (
    <header class="bar">
      <MenuButton>
        <Menu />
      </MenuButton>
      <a class="brand" href={href('/')}>
        {p('portal.name')}
      </a>
      {isSandbox && <span class="badge notice">{t('app.sandbox')}</span>}
      {visitor.value?.readOnly && <span class="badge">{t('portal.readOnly')}</span>}
      <span class="grow" />
      <bdi class="live time wide-only">{timeOfDay(now.value)}</bdi>
      <button
        type="button"
        class="quiet"
        lang={language.value === 'ar' ? 'en' : 'ar'}
        onClick={() => setLanguage(language.value === 'ar' ? 'en' : 'ar')}
      >
        {t('app.otherLanguage')}
      </button>
      <Account />
    </header>
  );
}

function Account() {
  const who = visitor.value;
  return (
    <>
      <button type="button" class="quiet account-button" popovertarget="account">
        <span class="wide-text">{who === null ? t('app.account') : <bdi>{who.partnerName}</bdi>}</span>{' '}
        <span aria-hidden="true">▾</span>
      </button>
      <div id="account" class="menu-popover end" popover="auto">
        {who !== null && (
          <p>
            <bdi>{who.partnerName}</bdi>
            <br />
            <span class="faint">
              {who.keyName === null ? p('me.byLink') : p('me.byKey', { name: who.keyName })}{' '}
              {p('me.until', { time: timeOfDay(who.expiresAt) })}
            </span>
          </p>
        )}
        <button type="button" onClick={() => void leave()}>
          {t('app.signOut')}
        </button>
      </div>
    </>
  );
}

function Menu() {
  const { path } = place.value;
  const isCurrent = (route: string): boolean =>
    route === '/' ? path === '/' : path === route || path.startsWith(`${route}/`);
  return (
    <ul>
      {ROUTES.map(({ path: route, title, needs, isSandboxOnly }) =>
        title === undefined ||
        (isSandboxOnly && !isSandbox) ||
        (needs !== undefined && !may(needs)) ? null : (
          <li key={route}>
            <a href={href(route)} aria-current={isCurrent(route) ? 'page' : undefined}>
              {p(title)}
            </a>
          </li>
        ),
      )}
      <li>
        <a href="/docs" target="_blank" rel="noreferrer">
          {p('nav.guides')}
        </a>
      </li>
    </ul>
  );
}
