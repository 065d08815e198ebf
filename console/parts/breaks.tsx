import { Fragment } from 'preact';

/** A path, or a message with names of events: it breaks between their parts rather than in a word. */
export function Breaks({ text }: { text: string }) {
  return (
    <>
      {text.split(/(?<=[/._])/).map((part, index) => (
        <Fragment key={`${index} ${part}`}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}
