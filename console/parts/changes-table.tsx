import { t } from '../language.ts';

type Fields = Record<string, unknown> | null;

/** The differences of two states, side by side. */
export function ChangesTable({ before, after }: { before: Fields; after: Fields }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const different = names.filter(
    (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]) && name !== 'updatedAt',
  );
  if (different.length === 0) return <p class="faint">{t('audit.same')}</p>;
  return (
    <table class="changes">
      <thead>
        <tr>
          <th scope="col">{t('audit.field')}</th>
          <th scope="col">{t('audit.before')}</th>
          <th scope="col">{t('audit.after')}</th>
        </tr>
      </thead>
      <tbody>
        {different.map((name) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              <Value value={before?.[name]} />
            </td>
            <td>
              <Value value={after?.[name]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === undefined || value === null) return <span class="faint">–</span>;
  if (typeof value === 'object') return <code>{JSON.stringify(value)}</code>;
  return <bdi>{String(value)}</bdi>;
}
