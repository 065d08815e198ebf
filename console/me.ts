import { call } from './api.ts';
import { useIdentity } from './query.ts';
import { me } from './session.ts';

/** Loads the token's name and role and the service's time; again after the clock was moved. */
export function useMe(): void {
  useIdentity(
    (options) => call('getMe', {}, options),
    'clock',
    ({ role, name }) => {
      me.value = { role, name };
    },
  );
}
