import { ConfigError, integer, settings, text, type Source } from '@steward/kernel';

const variables = {
  BUS_URL: {
    default: '',
    says:
      'NATS JetStream that receives events for other systems, such as nats://user:password@nats.example.com:4222; also ' +
      'tls://, and several separated by commas. Empty: events stay in the outbox.',
  },
  BUS_REPLICAS: {
    default: '1',
    says: 'Replicas of the NATS stream, if the server creates it, 1 to 5. Use 3 in a cluster.',
  },
} as const;

/** The broker that events are sent to for other systems. */
interface BusConfig {
  readonly servers: readonly string[];
  readonly credentials: { readonly user: string; readonly password: string } | { readonly token: string } | undefined;
  readonly replicas: number;
}

/** @throws ConfigError with the variable that must be mended */
function readBus(env: Source<keyof typeof variables>): BusConfig | undefined {
  const replicas = integer(env, 'BUS_REPLICAS', 1, 5);
  const given = text(env, 'BUS_URL');
  if (given === '') return undefined;
  const urls = given.split(',').map((one) => URL.parse(one.trim()));
  const servers = urls.map((url) => {
    if (url === null || !/^(?:nats|tls):$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
      throw new ConfigError(
        'BUS_URL must be nats://host:4222 or tls://host:4222, with user:password@ or token@ if needed; separate several ' +
          'with commas.',
      );
    }
    return `${url.protocol}//${url.host}`;
  });
  const first = urls.find((url) => (url?.username ?? '') !== '');
  const user = decodeURIComponent(first?.username ?? '');
  const password = decodeURIComponent(first?.password ?? '');
  const credentials = user === '' ? undefined : password === '' ? { token: user } : { user, password };
  return { servers, credentials, replicas };
}

export interface BusSettings {
  /** Undefined: events stay in the outbox. */
  readonly bus: BusConfig | undefined;
}

export const busSettings = settings(variables, (env): BusSettings => ({ bus: readBus(env) }));
