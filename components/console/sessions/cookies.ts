import type { IncomingMessage } from 'node:http';

/** Where a browser keeps something of ours, out of reach of pages. */
export interface Cookie {
  read(request: IncomingMessage): string | undefined;
  /** The header that has the browser keep a value; an empty one is forgotten. */
  set(value: string): string;
}

interface Jar {
  /** The session: sent only with what this origin itself asks for. */
  readonly session: Cookie;
  /** What was begun at sign-in: also sent when the identity provider leads back. */
  readonly signingIn: Cookie;
}

/**
 * `__Host-` binds a cookie to one host, over https alone. On plain http, of this machine, browsers know no such prefix, and there the name has the
 * port, so that two installations do not overwrite each other's. Ports keep nothing apart (RFC 6265 §8.5): whatever else is served at the same host is sent
 * it, too. So the console wants a host of its own.
 */
export function createJar(origin: URL): Jar {
  const secure = origin.protocol === 'https:';
  const cookie = (name: string, site: 'Strict' | 'Lax', seconds: number): Cookie => {
    const full = secure ? `__Host-${name}` : `${name}-${origin.port}`;
    const rest = `; Path=/; HttpOnly; SameSite=${site}${secure ? '; Secure' : ''}`;
    return {
      read: ({ headers }) => valueOf(headers.cookie, full),
      set: (value) => `${full}=${value}${rest}; Max-Age=${value === '' ? 0 : seconds}`,
    };
  };
  return {
    session: cookie('steward', 'Strict', 24 * 3600),
    signingIn: cookie('steward-signing-in', 'Lax', 600),
  };
}

function valueOf(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const text = part.trim();
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return undefined;
}
