import { lookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { isLoopback } from './config/loopback.ts';

export type GuardedFetch = (address: string, init: RequestInit) => Promise<Response>;

const refusals = {
  scheme_not_allowed: 'only https addresses are fetched',
  port_not_allowed: 'the port is not one that is asked',
  address_not_public: 'the address is not a public one',
} as const;

/** An address that is not asked: nothing was sent. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code: keyof typeof refusals;
  constructor(code: keyof typeof refusals) {
    super(refusals[code]);
    this.code = code;
  }
}

/**
 * Fetches what a stranger's address points at, so: https alone, no redirects, and never an address inside this
 * machine's networks. The address that was checked is the one that is connected to; a second look-up could differ.
 * @param options `accept`, `userAgent`: what is asked for and who asks. `loopback`: names of this machine itself are fine, for
 * what is developed on it, at any port. `ports`: those that may be asked of others
 * @throws AddressRefused when the address may not be asked
 */
export function createGuardedFetch({
  accept,
  userAgent,
  loopback,
  ports = [443],
}: {
  readonly accept: string;
  readonly userAgent: string;
  readonly loopback: boolean;
  readonly ports?: readonly number[];
}): GuardedFetch {
  return async (address, init) => {
    const url = new URL(address);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const ownMachine = loopback && isLoopback(url.hostname);
    if (url.protocol !== 'https:') throw new AddressRefused('scheme_not_allowed');
    // What listens at others of somebody's ports is not meant for strangers.
    if (!ownMachine && !ports.includes(Number(url.port || 443))) throw new AddressRefused('port_not_allowed');
    // Literal addresses are never looked up, so `publicly` would not see them.
    if (isIP(host) === 0 ? isLoopback(host) && !ownMachine : !ownMachine && !isPublic(host))
      throw new AddressRefused('address_not_public');
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(url, {
        method: 'GET',
        headers: { accept, 'user-agent': userAgent },
        lookup: ownMachine ? locally : publicly,
        agent: false,
        ...(init.signal ? { signal: init.signal } : {}),
      });
      sent.on('response', resolve).on('error', reject).end();
    });
    return new Response(Readable.toWeb(response) as ReadableStream, {
      status: response.statusCode ?? 502,
      headers: Object.entries(response.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      ),
    });
  };
}

/** Unicast that IANA gave out (RFC 4291, RFC 6890); what follows is inside of it and leads elsewhere. */
const givenOut = ipaddr.IPv6.parseCIDR('2000::/3');
/** IETF protocol assignments: Teredo, benchmarking, ORCHID and whatever comes. */
const protocols = ipaddr.IPv6.parseCIDR('2001::/23');

/**
 * Whether an address is one of a machine on the internet. IPv6 outside of what was given out is none, whether it embeds an IPv4 address
 * (compatible, translated, NAT64) or not; inside, neither is what has a special purpose (6to4, Teredo, documentation, …).
 */
function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(givenOut) && !parsed.match(protocols));
}

/** A name of this machine; it may lead nowhere else. */
const locally: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const fit = error === null && found.every(({ address }) => ipaddr.process(address).range() === 'loopback');
    answer(callback, options.all === true, fit ? found : (error ?? new AddressRefused('address_not_public')));
  });
};

/**
 * A name that a stranger chose, asked of DNS and never of what this machine knows by itself. `lookup` would hold a thread of the pool that
 * files and cryptography share for as long as the stranger's server does not answer.
 */
const publicly: LookupFunction = (hostname, options, callback) => {
  void (async () => {
    const dns = new Resolver({ timeout: 3_000, tries: 2 });
    const [four, six] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    const fit = found.every(({ address }) => isPublic(address));
    answer(callback, options.all === true, fit ? found : new AddressRefused('address_not_public'));
  })();
};

function answer(callback: Parameters<LookupFunction>[2], all: boolean, found: readonly LookupAddress[] | Error): void {
  if (found instanceof Error) return callback(found, []);
  const [first] = found;
  if (first === undefined) return callback(new Error('the name has no address'), []);
  if (all) callback(null, [...found]);
  else callback(null, first.address, first.family);
}
