import type { ServerResponse } from 'node:http';

/** A signal that aborts when the client leaves before its answer is written. */
export function abortedBy(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed || response.destroyed) abort();
  else response.once('close', abort);
  return controller.signal;
}
