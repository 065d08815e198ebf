/** A parser of server-sent events. Pure: text in, events out. */

export type ServerEvent = {
  /** The id to resume from after this event; null: none. */
  id: string | null;
  event: string;
  /** null: an event with an id only, to resume from. */
  data: string | null;
};

/**
 * Returns a function that takes the chunks of one stream and returns the events that they complete. Comments, such as
 * heartbeats, and unknown fields are ignored.
 */
export function createEventReader(): (part: string) => ServerEvent[] {
  let rest = '';
  let block: { id: string | null; event: string; data: string[] } = { id: null, event: '', data: [] };

  function field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') block.data.push(value);
    else if (name === 'event') block.event = value;
    else if (name === 'id' && !value.includes('\0')) block.id = value;
  }

  function dispatch(): ServerEvent[] {
    const { id, event, data } = block;
    block = { id: null, event: '', data: [] };
    if (data.length > 0) return [{ id, event: event || 'message', data: data.join('\n') }];
    return id === null ? [] : [{ id, event: 'message', data: null }];
  }

  return (part) => {
    // A trailing carriage return may be the first half of CRLF.
    const lines = (rest + part).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    return lines.flatMap((line) => {
      if (line === '') return dispatch();
      field(line);
      return [];
    });
  };
}
