/** Server-sent events, as the HTML standard has them. Pure: text in, events out. */

export type ServerEvent = {
  /** The id that is resumed from after this event; null: it has none of its own. */
  id: string | null;
  event: string;
  /** null: there is only an id, to resume from; nothing happened. */
  data: string | null;
};

/**
 * Returns what takes the parts of one stream, cut wherever the network cuts them, and returns the events that they
 * complete. Comments, such as heartbeats, and fields that are not known are no events.
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
    // A carriage return at the end may be the first half of a line's end.
    const lines = (rest + part).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    return lines.flatMap((line) => {
      if (line === '') return dispatch();
      field(line);
      return [];
    });
  };
}
