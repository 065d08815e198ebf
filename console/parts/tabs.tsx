import { href, place } from '../router.ts';

export type Tab = { path: string; label: string };

/** Tabs of related pages. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, label: text }) => (
        <a
          key={path}
          class="tab"
          href={href(path)}
          aria-current={place.value.path === path ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
