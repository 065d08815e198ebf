import { href, place } from '../router.ts';

export type Tab = { path: string; label: string };

/** Tabs of related pages; `current` is the path of the one that is shown, or that it belongs to. */
export function Tabs({
  label,
  tabs,
  current = place.value.path,
}: {
  label: string;
  tabs: readonly Tab[];
  current?: string | undefined;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, label: text }) => (
        <a key={path} class="tab" href={href(path)} aria-current={path === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
