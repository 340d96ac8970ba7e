import { ConfigError, integer, text } from './read.ts';
import type { Environment } from './variables.ts';

/** The broker that events are sent to for other systems. */
export interface BusConfig {
  readonly servers: readonly string[];
  readonly credentials: { readonly user: string; readonly password: string } | { readonly token: string } | undefined;
  readonly replicas: number;
}

/** @throws ConfigError with the variable that must be mended */
export function readBus(env: Environment): BusConfig | undefined {
  const replicas = integer(env, 'BUS_REPLICAS', 1, 5);
  const given = text(env, 'BUS_URL');
  if (given === '') return undefined;
  const urls = given.split(',').map((one) => URL.parse(one.trim()));
  const servers = urls.map((url) => {
    if (url === null || !/^(?:nats|tls):$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
      throw new ConfigError(
        'BUS_URL must be nats://host:4222 or tls://host:4222, with user:password@ or token@ where needed; several after commas.',
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
