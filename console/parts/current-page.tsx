import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../language.ts';
import { headingTakesFocus, match, place } from '../router.ts';
import { awaitHeading, Page } from './page.tsx';

export type PageProps = { params: Record<string, string> };

/** A page; its script is loaded when first shown. */
export type PageRoute = {
  /** Below the base; a segment that starts with a colon is a parameter. */
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

/** Pages with a loaded script. */
const loaded = new Map<PageRoute, ComponentType<PageProps>>();

/** Whether a page was shown since the console was loaded. */
let hasShown = false;

/** The page of the address. The previous one stays until the next one's script is loaded. */
export function CurrentPage({ routes }: { routes: readonly PageRoute[] }) {
  const { path } = place.value;
  const [, redraw] = useState(0);
  const [failed, setFailed] = useState<string | null>(null);
  const last = useRef<Shown | null>(null);
  if (last.current?.path !== path) {
    const found = findRoute(routes, path);
    const Component = found === null ? null : loaded.get(found.route);
    if (Component !== undefined) last.current = { Component, path, params: found?.params ?? {} };
  }
  const shown = last.current;
  useEffect(() => {
    setFailed(null);
    const route = findRoute(routes, path)?.route;
    if (route === undefined || loaded.has(route)) return;
    let isPast = false;
    route
      .load()
      .then(({ default: Component }) => {
        loaded.set(route, Component);
        if (!isPast) redraw((count) => count + 1);
      })
      .catch(() => {
        if (!isPast) setFailed(path);
      });
    return () => {
      isPast = true;
    };
  }, [path]);
  // Before the page's own effects.
  useLayoutEffect(() => {
    if (shown === null) return;
    if (hasShown && headingTakesFocus()) awaitHeading();
    hasShown = true;
  }, [shown?.path]);
  if (failed === path) {
    return (
      <Page title={t('couldNot.load')}>
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
