import type { IncomingMessage } from 'node:http';

const mostBytes = 8 * 1_048_576;
const mostMilliseconds = 2_000;

/**
 * Reads what is left of a body that was refused, within bounds, so that the sender gets to hear the refusal: many clients
 * write all of it before they read, and a connection that is closed meanwhile is all they see.
 */
export async function discardBody(request: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (request.readableEnded || request.destroyed || (encoding === undefined && (length ?? '0') === '0')) return;
  if (Number(length ?? 0) > mostBytes) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, mostMilliseconds);
  let seen = 0;
  const count = (chunk: Buffer): void => {
    seen += chunk.length;
    if (seen > mostBytes) resolve();
  };
  request.on('data', count).once('end', resolve).once('error', resolve).once('close', resolve).resume();
  await promise;
  clearTimeout(timer);
  request.off('data', count).off('end', resolve).off('error', resolve).off('close', resolve);
}
