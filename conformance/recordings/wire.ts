import { Agent, request } from 'node:http';

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends over connections that stay: thousands of requests are cheap only so. */
export class Wire {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  async send({ method, url, headers, body }: Sent): Promise<Heard> {
    const { promise, resolve, reject } = Promise.withResolvers<Heard>();
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...headers, ...length }, agent: this.#agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const { statusCode = 0, headers: heard } = answer;
        resolve({ status: statusCode, headers: heard, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Does it for each, a few at a time; the results in the order of what they are of. */
export async function inTurn<T, R>(all: readonly T[], act: (one: T) => Promise<R>, width = 6): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) results[at] = await act(all[at] as T);
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}
