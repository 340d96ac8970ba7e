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
    headers: Object.fromEntries(
      Object.entries(request.raw.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    ),
    body: Buffer.isBuffer(body) ? body : new Uint8Array(),
  };
}
