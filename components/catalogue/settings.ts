import { ConfigError, oneOf, settings, text } from '@steward/kernel';

export interface CatalogueSettings {
  /** Of https addresses that pictures are fetched from. */
  readonly picturePorts: readonly number[];
  /** Whether this machine itself may be asked for pictures. */
  readonly picturesFromLoopback: boolean;
}

const variables = {
  PICTURE_PORTS: {
    default: '443',
    says: 'Ports of the https addresses that pictures of products may be fetched from, separated by commas.',
  },
  PICTURES_FROM_LOOPBACK: {
    default: '',
    says: '`allow` lets pictures be fetched from this machine itself, at any port, for tests. Refused with NODE_ENV=production.',
  },
} as const;

export const catalogueSettings = settings(variables, (env, config): CatalogueSettings => {
  const loopback = text(env, 'PICTURES_FROM_LOOPBACK');
  const picturesFromLoopback = loopback !== '' && oneOf('PICTURES_FROM_LOOPBACK', loopback, ['allow']) === 'allow';
  if (picturesFromLoopback && config.production)
    throw new ConfigError(
      'PICTURES_FROM_LOOPBACK=allow lets every tenant reach what listens on this machine. Unset it where NODE_ENV=production.',
    );
  return { picturePorts: portsOf(text(env, 'PICTURE_PORTS')), picturesFromLoopback };
});

function portsOf(list: string): number[] {
  const ports = list.split(',').map((one) => one.trim());
  if (
    ports.length > 100 ||
    !ports.every((one) => /^[0-9]{1,5}$/.test(one) && Number(one) >= 1 && Number(one) <= 65_535)
  )
    throw new ConfigError(
      `PICTURE_PORTS must be ports from 1 to 65535, separated by commas, not ${JSON.stringify(list)}.`,
    );
  return ports.map(Number);
}
