import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { dayOf, hijriOf } from '../format.ts';
import { t } from '../language.ts';

let isAwaited = false;

/** Focuses the next heading, so that screen readers announce the new page. */
export function awaitHeading(): void {
  isAwaited = true;
}

/** A page: heading, actions, document title. */
export function Page({
  title,
  actions,
  about,
  children,
}: {
  title: string;
  /** Buttons beside the heading. */
  actions?: ComponentChildren;
  /** A line under the heading. */
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAwaited) heading.current!.focus();
    isAwaited = false;
  }, []);
  useEffect(() => {
    document.title = t('app.title', { page: title });
  }, [title]);
  return (
    <div class="page">
      <div class="heading">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          {about && <p class="about">{about}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** A day under the heading of a page, with the Hijri day in a second line. */
export const Day = ({ date }: { date: string }) => (
  <>
    {dayOf(date)}
    <span class="small hijri">{hijriOf(date)}</span>
  </>
);

/** A section with a heading. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="section">
      <div class="heading">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
