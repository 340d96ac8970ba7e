import { ConfigError } from '@steward/kernel/config-error';

/**
 * The servers of an address, in the order to be tried: `postgres://user:password@one:5432,two:5432/database`, as libpq
 * reads it. `target_session_attrs` may say `read-write` or `primary`, which is what is done anyway.
 * @returns one URL for each server
 * @throws ConfigError where it is no such address
 */
export function hostsOf(address: string): string[] {
  const parts = /^(?<scheme>postgres(?:ql)?:\/\/)(?<rest>.*)$/s.exec(address)?.groups;
  const rest = parts?.['rest'] ?? '';
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const at = authority.lastIndexOf('@') + 1;
  const urls = authority
    .slice(at)
    .split(',')
    .map((host) => URL.parse(`${parts?.['scheme']}${authority.slice(0, at)}${host}${end < 0 ? '' : rest.slice(end)}`));
  return urls.map((url) => {
    if (parts === undefined || url === null || (urls.length > 1 && url.hostname === '')) {
      throw new ConfigError(
        'DATABASE_URL and DATABASE_OWNER_URL must be postgres://user:password@host:5432/database; several hosts after commas.',
      );
    }
    const wanted = url.searchParams.get('target_session_attrs');
    if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary') {
      throw new ConfigError(
        `target_session_attrs=${wanted} is not possible: Steward needs the server that takes writes.`,
      );
    }
    url.searchParams.delete('target_session_attrs');
    return url.href;
  });
}

/** The address for people: no credentials. */
export function describeAddress(address: string): string {
  const urls = hostsOf(address).map((one) => new URL(one));
  return `${urls.map(({ host }) => host).join(',')}${urls[0]?.pathname ?? ''}`;
}

/** The login an address names. */
export const loginOf = (address: string): string => decodeURIComponent(new URL(hostsOf(address)[0] ?? '').username);
