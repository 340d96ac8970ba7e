import type { IncomingHttpHeaders } from 'node:http';

/** Headers that proxies, tunnels and content delivery networks put in: RFC 7239, RFC 9110 §7.6.3, and what is common besides. */
const names = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cdn-loop',
  'client-ip',
]);
const families = [
  'x-forwarded',
  'x-original-',
  'x-envoy-',
  'x-amzn-',
  'x-azure-',
  'cf-',
  'fly-',
  'fastly-',
  'tailscale-',
];

/** Whether a request says that it came through somebody else, so that the address it was sent from is not where it is from. */
export const isProxied = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => names.has(name) || families.some((family) => name.startsWith(family)));
