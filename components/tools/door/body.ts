import type { IncomingMessage } from 'node:http';
import { bodyLimit, fail } from '@steward/kernel';

/** @throws Problem 415 unless the body is plain JSON, 413 when its declared length is too large */
export function requireJson({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type !== 'application/json' && !/^application\/json\s*(?:;|$)/i.test(type ?? '')) {
    throw fail('unsupported_media_type', 'Send Content-Type: application/json.');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw fail('unsupported_content_encoding');
  if (Number(headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
}

const tooLarge = (): Error => fail('payload_too_large', `The body may have up to ${bodyLimit} bytes.`);

/** Who waits for a body. One of the two is called, or none when the client goes away first. */
export interface BodySink {
  readonly request: IncomingMessage;
  /** When the request began. Milliseconds, as `performance.now` counts. */
  readonly since: number;
  take(body: Buffer): void;
  /** With Problem 413 or 408. */
  refuse(cause: unknown): void;
}

export type ReadBody = (sink: BodySink) => void;

/** A body on its way, among the others. */
interface Arriving {
  readonly sink: BodySink;
  previous: Arriving | undefined;
  next: Arriving | undefined;
}

/**
 * Reads bodies of bounded size in bounded time. One sweep watches over all of them: a timer for each would cost a fifth
 * of what the whole request does. They are linked: a set copies itself again and again as they come and go, and its copies
 * keep whole requests until the collector's next full round.
 */
export function bodyReader(milliseconds: number): ReadBody {
  let first: Arriving | undefined;
  let sweeping = false;
  const add = (sink: BodySink): Arriving => {
    const one: Arriving = { sink, previous: undefined, next: first };
    if (first !== undefined) first.previous = one;
    first = one;
    return one;
  };
  /** False where it was taken out before. */
  const remove = (one: Arriving): boolean => {
    const { previous, next } = one;
    if (previous === undefined && first !== one) return false;
    if (previous === undefined) first = next;
    else previous.next = next;
    if (next !== undefined) next.previous = previous;
    one.previous = one.next = undefined;
    return true;
  };
  const sweepLater = (): void => {
    sweeping = true;
    setTimeout(sweep, milliseconds / 4).unref();
  };
  const sweep = (): void => {
    const late = performance.now() - milliseconds;
    let one = first;
    while (one !== undefined) {
      const { next, sink } = one;
      if (sink.request.destroyed) remove(one);
      else if (sink.since <= late && remove(one)) {
        sink.refuse(fail('request_timeout', `The body took longer than ${milliseconds} ms to arrive.`));
      }
      one = next;
    }
    sweeping = false;
    if (first !== undefined) sweepLater();
  };
  return (sink) => {
    let whole: Buffer | undefined;
    let parts: Buffer[] | undefined;
    let length = 0;
    const one = add(sink);
    if (!sweeping) sweepLater();
    sink.request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > bodyLimit) {
        if (remove(one)) sink.refuse(tooLarge());
      } else if (whole === undefined) whole = chunk;
      else (parts ??= [whole]).push(chunk);
    });
    sink.request.on('end', () => {
      if (!remove(one)) return;
      sink.take(parts === undefined ? (whole ?? Buffer.alloc(0)) : Buffer.concat(parts, length));
    });
  };
}
