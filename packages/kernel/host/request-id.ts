import type { IncomingMessage } from 'node:http';
import { newId } from '../ids.ts';

const acceptable = /^[\w.:-]{1,128}$/;

/** The caller's `X-Request-Id` where it is a plain token, a new id otherwise. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : newId();
}
