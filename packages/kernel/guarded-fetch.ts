import { lookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request } from 'node:https';
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
 * what is developed on it, at any port. `plain`: of these http is fine too. `ports`: those that may be asked of others. `servers`: of DNS; the machine's where it is left out
 * @throws AddressRefused when the address may not be asked
 */
export function createGuardedFetch({
  accept,
  userAgent,
  loopback,
  plain = false,
  ports = [443],
  servers,
}: {
  readonly accept: string;
  readonly userAgent: string;
  readonly loopback: boolean;
  readonly plain?: boolean;
  readonly ports?: readonly number[];
  readonly servers?: readonly string[];
}): GuardedFetch {
  return async (address, init) => {
    const url = new URL(address);
    const lookup = lookupFor(url, { loopback, ports, plain, servers });
    const sent = (url.protocol === 'http:' ? requestPlain : request)(url, {
      method: 'GET',
      headers: { accept, 'user-agent': userAgent },
      lookup,
      agent: false,
      ...(init.signal ? { signal: init.signal } : {}),
    });
    const answered = responseTo(sent);
    sent.end();
    const response = await answered;
    return new Response(Readable.toWeb(response) as ReadableStream, {
      status: response.statusCode ?? 502,
      headers: Object.entries(response.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      ),
    });
  };
}

/**
 * What was answered to a request that is about to be sent.
 * @throws Error where nothing is: also of a server that speaks another protocol from here on, of which no more would ever be heard
 */
export const responseTo = async (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent
      .on('response', resolve)
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(Object.assign(new Error('the server speaks another protocol'), { code: 'HPE_UPGRADE' }));
      })
      .on('error', reject)
      // Whatever ends a request says so before, but for what nobody thought of. Without an answer that comes to nothing here.
      .on('close', () => reject(new Error('the connection was closed')));
  });

/**
 * How the name of an address is looked up that may be asked: a connection leads to nothing else than what was judged.
 * @param rules `plain`: of this machine itself, http is fine too
 * @throws AddressRefused
 */
export function lookupFor(
  url: URL,
  {
    loopback,
    ports,
    plain = false,
    servers,
  }: { loopback: boolean; ports: readonly number[]; plain?: boolean; servers?: readonly string[] | undefined },
): LookupFunction {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const ownMachine = loopback && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !(plain && ownMachine && url.protocol === 'http:'))
    throw new AddressRefused('scheme_not_allowed');
  // What listens at others of somebody's ports is not meant for strangers.
  if (!ownMachine && !ports.includes(Number(url.port || 443))) throw new AddressRefused('port_not_allowed');
  // Literal addresses are never looked up, so `publicly` would not see them.
  if (isIP(host) === 0 ? isLoopback(host) && !ownMachine : !ownMachine && !isPublic(host))
    throw new AddressRefused('address_not_public');
  return ownMachine ? locally : publicly(servers);
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
const publicly =
  (servers: readonly string[] | undefined): LookupFunction =>
  (hostname, options, callback) => {
    void (async () => {
      const dns = new Resolver({ timeout: 3_000, tries: 2 });
      if (servers !== undefined) dns.setServers(servers);
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
