import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../language.ts';
import { match, place } from '../router.ts';
import { Page } from './page.tsx';

export type PageProps = { params: Record<string, string> };

/** A page; its script is loaded when it is first shown. */
export type PageRoute = {
  /** Below the base; a part that begins with a colon is a parameter. */
  path: string;
  load: () => Promise<{ default: ComponentType<PageProps> }>;
};

type Found = { route: PageRoute; params: Record<string, string> };

function findRoute(routes: readonly PageRoute[], path: string): Found | null {
  for (const route of routes) {
    const params = match(route.path, path);
    if (params !== null) return { route, params };
  }
  return null;
}

type Shown = { Component: ComponentType<PageProps> | null; path: string; params: Record<string, string> };

/** The page of the address. The one before stays until the script of the next has come. */
export function CurrentPage({ routes }: { routes: readonly PageRoute[] }) {
  const { path } = place.value;
  const [shown, setShown] = useState<Shown | null>(null);
  const [failed, setFailed] = useState(false);
  const isFirst = useRef(true);
  useEffect(() => {
    let isPast = false;
    setFailed(false);
    const found = findRoute(routes, path);
    if (found === null) {
      setShown({ Component: null, path, params: {} });
      return;
    }
    found.route
      .load()
      .then(({ default: Component }) => {
        if (!isPast) setShown({ Component, path, params: found.params });
      })
      .catch(() => setFailed(true));
    return () => {
      isPast = true;
    };
  }, [path]);
  useEffect(() => {
    if (shown === null) return;
    // A reader of the page is told that it is another one.
    if (!isFirst.current) document.querySelector<HTMLElement>('main h1')?.focus();
    isFirst.current = false;
  }, [shown?.path]);
  if (failed) {
    return (
      <Page title={t('error.title')}>
        <p>{t('app.outdated')}</p>
        <button type="button" onClick={() => location.reload()}>
          {t('app.reload')}
        </button>
      </Page>
    );
  }
  if (shown === null) return <p class="faint">{t('app.loading')}</p>;
  const { Component, params } = shown;
  if (Component === null) {
    return (
      <Page title={t('app.nowhereTitle')}>
        <p>{t('app.nowhere')}</p>
      </Page>
    );
  }
  return <Component key={shown.path} params={params} />;
}
