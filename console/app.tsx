import { useEffect } from 'preact/hooks';
import { pending } from './calls.ts';
import { timeOfDay } from './format.ts';
import { language, setLanguage, t } from './language.ts';
import { useMe } from './me.ts';
import { CurrentPage } from './parts/current-page.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { MenuButton } from './parts/menu-button.tsx';
import { Palette, paletteIsOpen } from './parts/palette.tsx';
import { Questions } from './parts/questions.tsx';
import { SignInAgain, SignInPage } from './parts/sign-in.tsx';
import { Toasts } from './parts/toasts.tsx';
import { href, place } from './router.ts';
import { GROUPS, ROUTES, type Route } from './routes.ts';
import { isSandbox, may, me, now, refused, token } from './session.ts';
import { leave } from './signing-in.ts';
import { connection } from './stream.ts';

/** The frame of every page. */
export function App() {
  useMe();
  useEffect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = language.value === 'ar' ? 'rtl' : 'ltr';
  }, [language.value]);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (token.value !== null) paletteIsOpen.value = true;
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  // A session that ends during work leaves the page as it is.
  if (token.value === null && !(refused.value && me.value !== null)) return <SignInPage />;
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
        <Lost />
        <ErrorBoundary at={place.value}>
          <CurrentPage routes={ROUTES} />
        </ErrorBoundary>
      </main>
      {paletteIsOpen.value && <Palette />}
      {token.value === null && <SignInAgain />}
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
        {t('app.name')}
      </a>
      {isSandbox && <span class="badge notice">{t('app.sandbox')}</span>}
      <span class="grow" />
      <Live />
      <button
        type="button"
        class="quiet find-button"
        aria-keyshortcuts="Control+K"
        onClick={() => {
          paletteIsOpen.value = true;
        }}
      >
        <span aria-hidden="true">⌕</span> <span class="wide-text">{t('app.find')}</span>{' '}
        <kbd class="wide-only" dir="ltr">
          Ctrl K
        </kbd>
      </button>
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
  const who = me.value;
  return (
    <>
      <button type="button" class="quiet account-button" popovertarget="account">
        <span class="wide-text">
          {who === null ? t('app.account') : <bdi>{who.name ?? t('live.firstToken')}</bdi>}
        </span>{' '}
        <span aria-hidden="true">▾</span>
      </button>
      <div id="account" class="menu-popover end" popover="auto">
        {who !== null && (
          <p>
            <bdi>{who.name ?? t('live.firstToken')}</bdi>
            <br />
            <span class="faint">{t(`role.${who.role}`)}</span>
          </p>
        )}
        <a href={href('/sessions')}>{t('sessions.title')}</a>
        <button type="button" onClick={() => void leave()}>
          {t('app.signOut')}
        </button>
      </div>
    </>
  );
}

function Menu() {
  const shown = ROUTES.filter(
    ({ group, needs }) => group !== undefined && (needs === undefined || may(needs)),
  );
  const path = place.value.path;
  const isAt = (route: Route): boolean =>
    route.path === '/' ? path === '/' : path === route.path || path.startsWith(`${route.path}/`);
  const isCurrent = (route: Route): boolean =>
    route.path === path || (isAt(route) && !shown.some((other) => other.path === path));
  return (
    <>
      {GROUPS.filter((group) => shown.some((route) => route.group === group)).map((group) => (
        <section key={group}>
          <h2>{t(group)}</h2>
          <ul>
            {shown
              .filter((route) => route.group === group)
              .map((route) => (
                <li key={route.path}>
                  <a href={href(route.path)} aria-current={isCurrent(route) ? 'page' : undefined}>
                    {t(route.title)}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** The service's time, and the state of the event stream. */
function Live() {
  const { state } = connection.value;
  return (
    <span class="live" data-state={state}>
      <span class="dot" aria-hidden="true" />
      <span class="wide-only">{state === 'lost' ? t('live.polling') : t(`live.${state}`)}</span>
      <bdi class="time">{timeOfDay(now.value)}</bdi>
    </span>
  );
}

function Lost() {
  const current = connection.value;
  return (
    <div role="status">
      {current.state === 'lost' && <p class="lost">{t('live.lost', { time: timeOfDay(current.since) })}</p>}
    </div>
  );
}
