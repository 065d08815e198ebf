import { useEffect, useState } from 'preact/hooks';
import { pending } from './calls.ts';
import { timeOfDay } from './format.ts';
import { language, setLanguage, t } from './language.ts';
import { useMe } from './me.ts';
import { ChangePreview } from './parts/change-preview.tsx';
import { CurrentPage } from './parts/current-page.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { MenuButton } from './parts/menu-button.tsx';
import { Palette, paletteIsOpen } from './parts/palette.tsx';
import { Questions } from './parts/questions.tsx';
import { ChangePin, SignInAgain, SignInPage } from './parts/sign-in.tsx';
import { Tabs } from './parts/tabs.tsx';
import { Toasts } from './parts/toasts.tsx';
import { href, place } from './router.ts';
import { type MenuEntry, menuEntries, ROUTES, sections, titleAt } from './routes.ts';
import { isSandbox, me, now, refused, token } from './session.ts';
import { leave, person } from './signing-in.ts';
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
        <SectionTabs />
        <ErrorBoundary at={place.value}>
          <CurrentPage routes={ROUTES} />
        </ErrorBoundary>
      </main>
      {paletteIsOpen.value && <Palette />}
      {token.value === null && <SignInAgain />}
      <ChangePreview />
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
  const [changesPin, setChangesPin] = useState(false);
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
        {person.value !== null && (
          <button
            type="button"
            popovertarget="account"
            popovertargetaction="hide"
            onClick={() => setChangesPin(true)}
          >
            {t('signIn.changePin')}
          </button>
        )}
        <button type="button" onClick={() => void leave()}>
          {t('app.signOut')}
        </button>
      </div>
      {changesPin && <ChangePin onClose={() => setChangesPin(false)} />}
    </>
  );
}

/** Few entries; the others are folded. */
function Menu() {
  const { shown, folded } = menuEntries();
  return (
    <>
      <Entries entries={shown} />
      <details open={folded.some(isCurrent)}>
        <summary>{t('act.more')}</summary>
        <Entries entries={folded} />
      </details>
    </>
  );
}

const isCurrent = ({ pages }: MenuEntry): boolean => {
  const title = titleAt(place.value.path);
  return pages.some((page) => page.title === title);
};

const Entries = ({ entries }: { entries: MenuEntry[] }) => (
  <ul>
    {entries.map((entry) => (
      <li key={entry.path}>
        <a href={href(entry.path)} aria-current={isCurrent(entry) ? 'page' : undefined}>
          {t(entry.title)}
        </a>
      </li>
    ))}
  </ul>
);

/** The pages of the menu's entry, unless it is the page alone. */
function SectionTabs() {
  const title = titleAt(place.value.path);
  const section = sections().find(({ pages }) => pages.some((page) => page.title === title));
  if (section === undefined || section.pages.length === 1) return null;
  const tabs = section.pages.map((page) => ({ path: page.path, label: t(page.title) }));
  const current = section.pages.find((page) => page.title === title)?.path;
  return <Tabs label={t(section.title)} tabs={tabs} current={current} />;
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
