import { ConfigError, settings, text } from '@steward/kernel';

export interface CatalogueSettings {
  /** Of https addresses that pictures are fetched from. */
  readonly picturePorts: readonly number[];
}

const variables = {
  PICTURE_PORTS: {
    default: '443',
    says: 'Ports of the https addresses that pictures of products may be fetched from, separated by commas.',
  },
} as const;

export const catalogueSettings = settings(variables, (env): CatalogueSettings => ({
  picturePorts: portsOf(text(env, 'PICTURE_PORTS')),
}));

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
