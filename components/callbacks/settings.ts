import { ConfigError, oneOf, settings, text } from '@steward/kernel';

export interface CallbackSettings {
  /** Days for which what providers sent is kept, once it is carried out. */
  readonly callbackBodiesKept: number;
  /** Whether keys and certificates of providers may come from this machine itself. */
  readonly callbackKeysFromLoopback: boolean;
}

const variables = {
  CALLBACK_BODIES_KEPT_DAYS: {
    default: '45',
    says:
      'Days for which the bodies of providers’ callbacks are kept once they are carried out, 1–3650. They may name customers. ' +
      'What is forgotten cannot be replayed.',
  },
  CALLBACK_KEYS_FROM_LOOPBACK: {
    default: '',
    says: '`allow` lets keys and certificates of providers come from this machine itself, for tests. Refused with NODE_ENV=production.',
  },
} as const;

export const callbackSettings = settings(variables, (env, config): CallbackSettings => {
  const days = text(env, 'CALLBACK_BODIES_KEPT_DAYS');
  if (!/^[1-9][0-9]{0,3}$/.test(days) || Number(days) > 3650)
    throw new ConfigError('CALLBACK_BODIES_KEPT_DAYS must be a whole number of days from 1 to 3650.');
  const loopback = text(env, 'CALLBACK_KEYS_FROM_LOOPBACK');
  const callbackKeysFromLoopback =
    loopback !== '' && oneOf('CALLBACK_KEYS_FROM_LOOPBACK', loopback, ['allow']) === 'allow';
  if (callbackKeysFromLoopback && config.production)
    throw new ConfigError(
      'CALLBACK_KEYS_FROM_LOOPBACK=allow lets whoever is on this machine sign for providers. Unset it where NODE_ENV=production.',
    );
  return { callbackBodiesKept: Number(days), callbackKeysFromLoopback };
});
