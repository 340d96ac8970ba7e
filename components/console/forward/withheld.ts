import { IncomingMessage, type ServerResponse } from 'node:http';

/** Whether a body follows the head of a request. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * The same request, of which nobody gets the last bytes before `allow` has resolved: a body may be held back for as long as its sender
 * likes, and what it asks for is done when it is whole. Where `allow` rejects, reading fails with that error.
 */
export function withheld(
  request: IncomingMessage,
  response: ServerResponse,
  allow: () => Promise<void>,
): IncomingMessage {
  const passed = new Passed(request.socket);
  passed.method = request.method;
  passed.url = request.url;
  passed.httpVersion = request.httpVersion;
  passed.headers = request.headers;
  passed.rawHeaders = request.rawHeaders;
  // What is left of the body is read all the same: the next request of the connection stands behind it.
  response.once('close', () => passed.destroy());
  passed.follow(request, allow).catch((error: unknown) => passed.destroy(error as Error));
  return passed;
}

class Passed extends IncomingMessage {
  #wanted: () => void = () => undefined;

  async follow(request: IncomingMessage, allow: () => Promise<void>): Promise<void> {
    let last: Buffer | undefined;
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (last !== undefined && !this.destroyed && !this.push(last)) await this.#demand();
      last = chunk;
    }
    if (this.destroyed) return;
    await allow();
    this.complete = true;
    this.push(last);
    this.push(null);
  }

  async #demand(): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted = resolve;
      if (this.destroyed) resolve();
    });
  }

  override _read(): void {
    this.#wanted();
  }

  /** Without the connection, on which the answer is sent. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#wanted();
    done(error);
  }
}
