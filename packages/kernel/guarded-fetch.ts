import { lookup } from 'node:dns';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { isLoopback } from './config/loopback.ts';

export type GuardedFetch = (address: string, init: RequestInit) => Promise<Response>;

/**
 * Fetches what a stranger's address points at, so: https alone, no redirects, and never an address inside this
 * machine's networks. The address that was checked is the one that is connected to; a second look-up could differ.
 * @param options `accept`, `userAgent`: what is asked for and who asks. `loopback`: names of this machine itself are fine, for
 * what is developed on it, at any port. `ports`: those that may be asked of others
 * @throws Error when the address may not be asked
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
    if (url.protocol !== 'https:') throw new Error('only https addresses are fetched');
    // What listens at others of somebody's ports is not meant for strangers.
    if (!ownMachine && !ports.includes(Number(url.port || 443))) throw new Error('the port is not one that is asked');
    // Literal addresses are never looked up, so `checked` would not see them.
    if (isIP(host) !== 0 && !mayAsk(host, ownMachine)) throw new Error('the address is not a public one');
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(url, {
        method: 'GET',
        headers: { accept, 'user-agent': userAgent },
        lookup: checkedLookup(ownMachine),
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

function mayAsk(address: string, ownMachine: boolean): boolean {
  const range = ipaddr.process(address).range();
  return range === 'unicast' || (ownMachine && range === 'loopback');
}

const checkedLookup =
  (ownMachine: boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error !== null || first === undefined) callback(error ?? new Error('the name has no address'), []);
      else if (!found.every(({ address }) => mayAsk(address, ownMachine))) {
        callback(new Error('the name leads to an address that is not public'), []);
      } else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
