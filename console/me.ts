import { useEffect } from 'preact/hooks';
import { call } from './api.ts';
import { onChange } from './changes.ts';
import { me, setNow, token, visit } from './session.ts';

/** Learns who the token is, and the service's time; again when the clock was moved. */
export function useMe(): void {
  const bearer = token.value;
  const visited = visit.value;
  useEffect(() => {
    if (bearer === null) return;
    const ended = new AbortController();
    const learn = (): void => {
      call('getMe', {}, { signal: ended.signal })
        .then(({ data }) => {
          if (ended.signal.aborted) return;
          me.value = { role: data.role, name: data.name };
          setNow(Date.parse(data.now));
        })
        // Whatever the page itself asks for tells of it.
        .catch(() => {});
    };
    learn();
    const stop = onChange(['clock'], learn);
    return () => {
      stop();
      // The name and role of another token are nobody's here.
      ended.abort();
    };
  }, [bearer, visited]);
}
