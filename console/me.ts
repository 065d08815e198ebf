import { useEffect } from 'preact/hooks';
import { call } from './api.ts';
import { onChange } from './changes.ts';
import { me, setNow, token, visit } from './session.ts';

/** Loads the token's name and role and the service's time; again after the clock was moved. */
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
        // The page's own requests report the failure.
        .catch(() => {});
    };
    learn();
    const stop = onChange(['clock'], learn);
    return () => {
      stop();
      // The name and role of another token are obsolete.
      ended.abort();
    };
  }, [bearer, visited]);
}
