import { signal } from '@preact/signals';
import { useEffect, useId, useState } from 'preact/hooks';
import type { SearchGroup, SearchItem } from '../contract.ts';
import { dateTime } from '../format.ts';
import { language, t } from '../language.ts';
import { useQuery } from '../query.ts';
import { fromService, go, href } from '../router.ts';
import { Dialog } from './dialog.tsx';
import { findablesOf } from './findable.ts';

/** Ctrl K: a palette of the console's pages and acts, and search results. */

export const paletteIsOpen = signal(false);

const DEBOUNCE_MS = 200;

type Hit = { group: string; label: string; detail?: string; address: string };

export function Palette() {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useFound(typed.trim(), asked);
  const pages = findablesOf(typed).map(
    ({ address, text }): Hit => ({ group: t('find.pages'), label: t(text), address: fromService(address) }),
  );
  const everywhere: Hit[] =
    // Phones, references and ids are found above; a name or a district may be that of many visits.
    typed.trim().length < MIN_LENGTH || /\p{Nd}/u.test(typed) || !found?.length
      ? []
      : [
          {
            group: t('nav.visits'),
            label: t('find.visits', { what: typed.trim() }),
            address: href('/visits', { view: 'all', search: typed.trim() }),
          },
        ];
  const hits = [...pages, ...(found ?? []), ...everywhere];
  const current = Math.min(active, hits.length - 1);
  const close = (): void => {
    paletteIsOpen.value = false;
  };
  function choose(hit: Hit | undefined): void {
    if (hit === undefined) return;
    close();
    go(hit.address);
  }
  useEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <Dialog title={t('find.title')} onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-label={t('find.title')}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={hits.length > 0 ? `${id}-${current}` : undefined}
        placeholder={t('find.hint')}
        autoComplete="off"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setActive(Math.min(current + 1, hits.length - 1));
          else if (event.key === 'ArrowUp') setActive(Math.max(current - 1, 0));
          else if (event.key === 'Enter') choose(hits[current]);
          else return;
          event.preventDefault();
        }}
      />
      <div class="hits" role="listbox" id={`${id}-list`} aria-label={t('find.title')}>
        {hits.map((hit, index) => (
          <div
            key={hit.address + hit.label}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onPointerMove={() => setActive(index)}
            onClick={() => choose(hit)}
            onKeyDown={(event) => event.key === 'Enter' && choose(hit)}
          >
            <span class="faint small">{hit.group}</span> <bdi>{hit.label}</bdi>{' '}
            {hit.detail && (
              <span class="faint">
                <bdi>{hit.detail}</bdi>
              </span>
            )}
          </div>
        ))}
      </div>
      {hits.length === 0 && found !== null && <p class="faint">{t('find.none', { what: typed })}</p>}
    </Dialog>
  );
}

type Found = SearchGroup['kind'];

/** The page of a search result. */
const PAGES: Record<Found, (item: SearchItem) => string> = {
  booking: ({ id }) => href(`/bookings/${id}`),
  customer: ({ id }) => href(`/customers/${id}`),
  partner: ({ id }) => href(`/partners/${id}`),
  team: ({ id }) => href(`/teams/${id}`),
  service: ({ id }) => href(`/catalogue/services/${id}`),
  zone: ({ id }) => href('/visits', { zoneId: id }),
};

/** The shortest text that the service searches for. */
export const MIN_LENGTH = 2;

/** Search results in the service's order; null: not loaded yet, and results of an earlier text do not apply. */
function useFound(typed: string, asked: string): Hit[] | null {
  const isAsked = asked.length >= MIN_LENGTH;
  const { answer, isCurrent, failure } = useQuery('search', isAsked ? { query: { q: asked } } : null);
  if (typed.length < MIN_LENGTH || failure !== null) return [];
  if (typed !== asked || !isCurrent) return null;
  return (answer?.data ?? []).flatMap(({ kind, items }) =>
    items.map((item) => ({
      group: t(`find.${kind}`),
      label: language.value === 'ar' ? (item.titleAr ?? item.title) : item.title,
      detail: [item.customer, item.phone, item.detail, item.startsAt && dateTime(item.startsAt), item.partner]
        .filter((part) => part !== null)
        .map((part) => `\u2068${part}\u2069`)
        .join(' · '),
      address: PAGES[kind](item),
    })),
  );
}
