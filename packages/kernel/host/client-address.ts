import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { BoundedMap } from '../bounded-map.ts';
import { ConfigError } from '../config/read.ts';

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The address a request came from; `X-Forwarded-For` counts only as far as trusted proxies wrote it. */
export type ClientAddress = (request: IncomingMessage) => string;

/** @throws ConfigError when an entry is neither an address nor a CIDR range */
export function clientAddressReader(trustedProxies: readonly string[]): ClientAddress {
  const ranges = trustedProxies.map(range);
  const trusted = (address: string): boolean => {
    if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some((entry) => parsed.kind() === entry[0].kind() && parsed.match([entry[0], entry[1]]));
  };
  return (request) => {
    let address = request.socket.remoteAddress ?? 'unknown';
    const forwarded = request.headers['x-forwarded-for'];
    const hops =
      forwarded === undefined
        ? []
        : String(forwarded)
            .split(',')
            .map((hop) => hop.trim());
    while (trusted(address) && hops.length > 0) {
      const hop = hops.pop() ?? '';
      if (!ipaddr.isValid(hop)) break;
      address = hop;
    }
    return plainly(address);
  };
}

function range(entry: string): Range {
  try {
    if (entry.includes('/')) return ipaddr.parseCIDR(entry);
    const address = ipaddr.process(entry);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    throw new ConfigError(`TRUSTED_PROXIES: ${JSON.stringify(entry)} is neither an address nor a CIDR range.`);
  }
}

const plainly = remembering((address) => (ipaddr.isValid(address) ? ipaddr.process(address).toString() : address));

/** Who shares a limit: an IPv4 address, or an IPv6 /64, since one subscriber owns a whole /64. */
export const limitBucket: (address: string) => string = remembering((address) => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
});

/** Reading an address costs more than all else that is done with it, and the same ones come again. */
function remembering(read: (address: string) => string): (address: string) => string {
  const known = new BoundedMap<string, string>(10_000);
  return (address) => {
    const found = known.get(address);
    if (found !== undefined) return found;
    const value = read(address);
    known.set(address, value);
    return value;
  };
}
