import type { ComponentChildren } from 'preact';

export type Fact = { label: string; value: ComponentChildren };

/** Names and values; entries without a value are omitted. */
export function Facts({ facts }: { facts: readonly (Fact | null | false)[] }) {
  return (
    <dl class="facts">
      {facts.map((fact) =>
        fact ? (
          <div key={fact.label}>
            <dt>{fact.label}</dt>
            <dd>{fact.value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
