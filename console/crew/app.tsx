import { useEffect, useState } from 'preact/hooks';
import { dateOf, daysOf } from './days.ts';
import { asciiDigits } from './digits.ts';
import { Icon } from './icons.tsx';
import { keepsNothing, keptDay, queue, refusedSteps, serviceTime } from './kept.ts';
import {
  type CrewLanguage,
  dateText,
  LANGUAGES,
  language,
  readsArabic,
  setLanguage,
  type TextKey,
  t,
  timeText,
} from './language.ts';
import { endOf, isOver, withQueue } from './steps.ts';
import { PlanBanner, Visit } from './visit.tsx';
import {
  access,
  enter,
  isOffline,
  leave,
  leaveLink,
  mayTryAgain,
  now,
  question,
  signInFailure,
  start,
} from './work.ts';

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

/** Milliseconds after which a list that was not read again is called an old one. */
const OLD = 15_000;

/** Warnings: no network, steps that are not sent, steps that were refused. */
function Banners() {
  const kept = keptDay.value;
  const own = queue.value.filter(({ teamId }) => kept === null || teamId === kept.teamId).length;
  const others = queue.value.length - own;
  const end = endOf(kept, serviceTime(now.value));
  const isOld = kept !== null && kept.day !== null && now.value - kept.readAt > OLD;
  return (
    <>
      <div role="status">
        {(isOffline.value || isOld) && (
          <p class="banner notice">
            <Icon name="offline" />
            <span>
              {isOffline.value && t('offline')}
              {kept !== null && kept.day !== null && (
                <>
                  {isOffline.value && <br />}
                  {t('asOf', { time: readText(kept.readAt + kept.ahead) })}
                </>
              )}
            </span>
          </p>
        )}
        {end !== null && (
          <p class="banner warning">
            {t(end === 'soon' ? 'endsSoon' : 'ended', { time: timeText(Date.parse(kept!.endsAt!)) })}
          </p>
        )}
        {keepsNothing.value && <p class="banner warning">{t('keepsNothing')}</p>}
        {own > 0 && <p class="banner notice unsent">{t('unsent', { count: own })}</p>}
        {others > 0 && <p class="banner notice">{t('unsentOther', { count: others })}</p>}
      </div>
      <div role="alert">
        <PlanBanner />
        {refusedSteps.value.length > 0 && (
          <div class="banner refused">
            <strong>{t('refused')}</strong>
            <ul>
              {refusedSteps.value.map(({ key, visitName, to, refusal }) => (
                <li key={key}>
                  <bdi>{visitName}</bdi> · {t(`do.${to}`)}: {t(`refused.${refusal}`)}
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

const readText = (at: number): string => `${timeText(at)}, ${dateText(dateOf(at))}`;

function Content() {
  if (access.value === 'asking') return <Pin />;
  if (access.value === 'ended') return <p class="message">{t('ended')}</p>;
  if (access.value === 'none') return <Stranger />;
  return (
    <>
      <Question />
      <List />
      <button type="button" class="big plain" onClick={() => void leave()}>
        <span>{t('signOut')}</span>
      </button>
    </>
  );
}

function List() {
  const day = keptDay.value?.day ?? null;
  if (day === null) return <p class="message">{t('loading')}</p>;
  const days = daysOf(
    day.visits.map((visit) => withQueue(visit, queue.value)),
    serviceTime(now.value),
  );
  const current = days[0]!.visits.find((visit) => !isOver(visit))?.id;
  return days.map(({ date, when, visits }) => (
    <section key={date}>
      <h2>
        {when !== 'later' && `${t(when)} · `}
        {dateText(date)}
      </h2>
      {visits.length === 0 ? <p class="message">{t('none')}</p> : null}
      <ol>
        {visits.map((visit) => (
          <Visit
            key={`${visit.id} ${visit.id === current}`}
            visit={visit}
            isToday={when === 'today'}
            isCurrent={visit.id === current}
          />
        ))}
      </ol>
    </section>
  ));
}

/** What a link asks that was opened beside the running session. */
function Question() {
  if (question.value === 'pin') return <Pin />;
  if (question.value === null) return null;
  return (
    <div class="banner question" role="alert">
      <p>{t('otherTeam')}</p>
      <div class="pair">
        <button type="button" class="big go" onClick={() => void enter(null, true)}>
          <span>{t('changeTeam')}</span>
        </button>
        <button type="button" class="big plain" onClick={leaveLink}>
          <span>{t('back')}</span>
        </button>
      </div>
    </div>
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
        onInput={(event) => setPin(asciiDigits(event.currentTarget.value))}
      />
      {failure !== null && (
        <p class="warning" role="alert">
          {t(failure === 'pin-wrong' ? 'pinWrong' : (FAILURES[failure] ?? 'tryLater'))}
        </p>
      )}
      <button type="submit" class="big go">
        <span>{t('open')}</span>
      </button>
      {question.value !== null && (
        <button type="button" class="big plain" onClick={leaveLink}>
          <span>{t('back')}</span>
        </button>
      )}
    </form>
  );
}
