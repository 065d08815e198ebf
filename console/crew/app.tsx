import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { keptDay, queue, refusedSteps } from './kept.ts';
import {
  type CrewLanguage,
  LANGUAGES,
  language,
  readsArabic,
  setLanguage,
  type TextKey,
  t,
} from './language.ts';
import { OVER, withQueue } from './steps.ts';
import { Visit } from './visit.tsx';
import { access, enter, isOffline, mayTryAgain, signInFailure, start } from './work.ts';

/** The crew's page. */
export function CrewApp() {
  const kept = keptDay.value;
  const name = (readsArabic() ? kept?.teamNameAr : null) ?? kept?.teamName ?? t('title');
  useEffect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = LANGUAGES[language.value].dir;
    document.title = name;
  }, [language.value, name]);
  return (
    <>
      <header>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <label class="languages">
          <span class="hidden">{t('language')}</span>
          <select
            value={language.value}
            onChange={(event) => setLanguage(event.currentTarget.value as CrewLanguage)}
          >
            {Object.entries(LANGUAGES).map(([key, { name }]) => (
              <option key={key} value={key} lang={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </header>
      <main>
        <Banners />
        <Content />
      </main>
    </>
  );
}

/** Warnings: no network, steps that are not sent, steps that were refused. */
function Banners() {
  const kept = keptDay.value;
  const own = queue.value.filter(({ teamId }) => kept === null || teamId === kept.teamId).length;
  const others = queue.value.length - own;
  return (
    <>
      <div role="status">
        {isOffline.value && (
          <p class="banner notice">
            <Icon name="offline" />
            <span>
              {t('offline')}
              {kept !== null && kept.day !== null && (
                <>
                  <br />
                  {t('asOf', { time: timeOf(kept.readAt + kept.ahead) })}
                </>
              )}
            </span>
          </p>
        )}
        {own > 0 && <p class="banner notice unsent">{t('unsent', { count: own })}</p>}
        {others > 0 && <p class="banner notice">{t('unsentOther', { count: others })}</p>}
      </div>
      <div role="alert">
        {refusedSteps.value.length > 0 && (
          <div class="banner refused">
            <strong>{t('refused')}</strong>
            <ul>
              {refusedSteps.value.map(({ key, visitName, to, refusal }) => (
                <li key={key}>
                  <bdi>{visitName}</bdi> · {t(`do.${to}` as TextKey)}: {t(`refused.${refusal}` as TextKey)}
                </li>
              ))}
            </ul>
            <button type="button" class="big plain" onClick={() => refusedSteps.change(() => [])}>
              <span>{t('seen')}</span>
            </button>
          </div>
        )}
      </div>
    </>
  );
}

/** The time of day in Riyadh. */
function timeOf(at: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Riyadh',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);
}

function Content() {
  if (access.value === 'asking') return <Pin />;
  if (access.value === 'ended') return <p class="message">{t('ended')}</p>;
  if (access.value === 'none') return <Stranger />;
  const day = keptDay.value?.day ?? null;
  if (day === null) return <p class="message">{t('loading')}</p>;
  const visits = day.visits.map((visit) => withQueue(visit, queue.value));
  const today = visits.filter(({ date }) => date <= day.today);
  const tomorrow = visits.filter(({ date }) => date > day.today);
  const current = today.find(({ status }) => !OVER.includes(status))?.id;
  return (
    <>
      <h2>{t('today')}</h2>
      {today.length === 0 ? <p class="message">{t('none')}</p> : null}
      <ol>
        {today.map((visit) => (
          <Visit
            key={`${visit.id} ${visit.id === current}`}
            visit={visit}
            isToday
            isCurrent={visit.id === current}
          />
        ))}
      </ol>
      <h2>{t('tomorrow')}</h2>
      {tomorrow.length === 0 ? <p class="message">{t('none')}</p> : null}
      <ol>
        {tomorrow.map((visit) => (
          <Visit key={visit.id} visit={visit} isToday={false} isCurrent={false} />
        ))}
      </ol>
    </>
  );
}

const FAILURES: Record<string, TextKey> = { 'not-valid': 'wrongLink', locked: 'locked', later: 'tryLater' };

/** A telephone without a session. */
function Stranger() {
  const failure = signInFailure.value;
  return (
    <>
      <p class="message" role="alert">
        {t((failure !== null && FAILURES[failure]) || 'openLink')}
      </p>
      {(mayTryAgain() || isOffline.value) && (
        <button type="button" class="big plain" onClick={() => void start()}>
          <span>{t('again')}</span>
        </button>
      )}
    </>
  );
}

function Pin() {
  const [pin, setPin] = useState('');
  const failure = signInFailure.value;
  return (
    <form
      class="pin"
      onSubmit={(event) => {
        event.preventDefault();
        void enter(pin).then(() => setPin(''));
      }}
    >
      <p>{t('pinAsk')}</p>
      <label for="pin">{t('pin')}</label>
      <input
        id="pin"
        inputMode="numeric"
        autoComplete="off"
        pattern="[0-9]{4,8}"
        maxLength={8}
        required
        dir="ltr"
        value={pin}
        onInput={(event) => setPin(event.currentTarget.value)}
      />
      {failure !== null && (
        <p class="warning" role="alert">
          {t(failure === 'pin-wrong' ? 'pinWrong' : (FAILURES[failure] ?? 'tryLater'))}
        </p>
      )}
      <button type="submit" class="big go">
        <span>{t('open')}</span>
      </button>
    </form>
  );
}
