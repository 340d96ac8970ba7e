import { publicUrlOf, type Request } from '@steward/kernel';

/** A request as it came: a signature may cover all of it. */
export interface Arrived {
  readonly method: string;
  /** The public address, as its sender has it. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** Where the body names the profile of the agent. */
  readonly profileUrl?: string | undefined;
}

/** @param body the bytes that came, if any  @param commerce public address under which routes stand */
export function arrivedOf(request: Request, body: unknown, commerce: string): Arrived {
  return {
    method: request.method,
    url: publicUrlOf(request.raw, commerce),
    headers: joined(request.raw.rawHeaders),
    body: Buffer.isBuffer(body) ? body : new Uint8Array(),
  };
}

/** Each name once, in lower case, with all its values in their order: as a signature covers it. @param raw names and values by turns, as they came */
function joined(raw: readonly string[]): Arrived['headers'] {
  // Somebody may call a header `__proto__`.
  const headers = Object.create(null) as Record<string, string | undefined>;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const value = raw[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
