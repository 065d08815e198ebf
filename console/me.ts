import { useEffect } from 'preact/hooks';
import { call } from './api.ts';
import { onChange } from './changes.ts';
import { me, setNow, token } from './session.ts';

/** Learns who the token is, and the service's time; again when the clock was moved. */
export function useMe(): void {
  const bearer = token.value;
  useEffect(() => {
    if (bearer === null) return;
    const learn = (): void => {
      call('getMe', {})
        .then(({ data }) => {
          me.value = { role: data.role, name: data.name };
          setNow(Date.parse(data.now));
        })
        // Whatever the page itself asks for tells of it.
        .catch(() => {});
    };
    learn();
    return onChange(['clock'], learn);
  }, [bearer]);
}
