import type { IncomingMessage } from 'node:http';

/** Where a request came in that was led on to another address of this process. */
export interface Arrival {
  /** Public origin of the place, as others are told of it. */
  readonly origin: string;
  /** Whole public address, as its sender has it: what signatures cover. */
  readonly url: string;
}

const arrivals = new WeakMap<IncomingMessage, Arrival>();

/** Has a request routed as if it had come to `url` at `host`. */
export function leadOn(request: IncomingMessage, arrival: Arrival, { url, host }: { url: string; host: string }): void {
  arrivals.set(request, arrival);
  request.url = url;
  // Where hosts differ the router looks at it; what the sender wrote is still in `rawHeaders`.
  request.headers.host = host;
}

/** Undefined: it came to the address that it is served at. */
export const arrivalOf = (request: IncomingMessage): Arrival | undefined => arrivals.get(request);

/** The public address that a request came to. @param mount public address under which the route stands that serves it */
export function publicUrlOf(request: IncomingMessage, mount: string): string {
  const arrival = arrivals.get(request);
  if (arrival !== undefined) return arrival.url;
  const { url = '/' } = request;
  const { pathname } = new URL(mount);
  return `${mount}${pathname !== '/' && url.startsWith(`${pathname}/`) ? url.slice(pathname.length) : url}`;
}
