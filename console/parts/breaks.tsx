import { Fragment } from 'preact';

/** A path, or a message with names of events, with line breaks allowed between their parts. */
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
