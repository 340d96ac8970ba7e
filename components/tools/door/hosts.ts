import type { IncomingMessage } from 'node:http';
import { isLoopback } from '@steward/kernel';
import { errors } from '../errors.ts';

/**
 * Refuses what a rebound DNS name or a foreign page sends to a server that happens to be reachable: the Host must be
 * one of ours, and so must an Origin where there is one.
 * @throws Problem `foreign_host` or `foreign_origin` (403)
 */
export type HostPolicy = (request: IncomingMessage) => void;

export function hostPolicy(bases: readonly string[], hosts: readonly string[], origins: readonly string[]): HostPolicy {
  const ours = new Set([...bases.flatMap(spellings), ...hosts.map((host) => host.toLowerCase())]);
  const ourOrigins = new Set(origins.map((origin) => origin.toLowerCase()));
  for (const host of ours) ourOrigins.add(`http://${host}`).add(`https://${host}`);
  const [first] = ours;
  return ({ headers }) => {
    const { host, origin } = headers;
    if (host === first && origin === undefined) return;
    if (host === undefined || (!ours.has(host) && !ours.has(host.toLowerCase()))) {
      throw errors(
        'foreign_host',
        'The Host header names no address of this server: use the address that the operator published.',
      );
    }
    if (origin !== undefined && !ourOrigins.has(origin.toLowerCase())) {
      throw errors(
        'foreign_origin',
        'Pages of this origin may not call the endpoint: ask the operator to add it to MCP_ALLOWED_ORIGINS.',
      );
    }
  };
}

/** A loopback address has three names, and a default port may be said or left out. */
function spellings(base: string): string[] {
  const { hostname, port, protocol } = new URL(base);
  const names = isLoopback(hostname) ? [hostname, 'localhost', '127.0.0.1', '[::1]'] : [hostname];
  if (port !== '') return names.map((name) => `${name}:${port}`);
  return names.flatMap((name) => [name, `${name}:${protocol === 'https:' ? 443 : 80}`]);
}
