import { p } from './language.ts';
import { visitor } from './visitor.ts';

/** Why the session has limited access, and what to do. */
export function Limited() {
  const who = visitor.value;
  if (who === null || who.limit === null) return null;
  const { limit, address } = who;
  return (
    <section class="lost" aria-label={p('limit.title')}>
      <h2>{p('limit.title')}</h2>
      <p>{limit === 'ADDRESS_NOT_ALLOWED' ? p(`limit.${limit}`, { address }) : p(`limit.${limit}`)}</p>
      <p>{p('limit.shown')}</p>
    </section>
  );
}
