/** Something that is still missing; with the address of the page that adds it, and the name of the zone that it overlaps. */
export type Gap = { text: string; address: string | null; overlaps?: string };

/** The list of what is missing; nothing when it is empty. */
export function Gaps({ title, gaps }: { title: string; gaps: readonly Gap[] }) {
  if (gaps.length === 0) return null;
  return (
    <div class="lost gaps">
      <p>
        <strong>{title}</strong>
      </p>
      <ul aria-label={title}>
        {gaps.map(({ text, address }) => (
          <li key={text}>{address === null ? text : <a href={address}>{text}</a>}</li>
        ))}
      </ul>
    </div>
  );
}
