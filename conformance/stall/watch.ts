import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reading, Seen } from './probe.ts';

export interface Sent {
  /** For people: where it was sent, and what of. */
  readonly name: string;
  readonly what?: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Heard {
  readonly status: number;
  readonly text: string;
}

/** A request that held up everybody else, each time it was sent. */
export interface Stall {
  readonly name: string;
  readonly what?: string | undefined;
  /** Milliseconds that the thread worked without a pause, and that `/healthz` took meanwhile: the best of all tries. */
  readonly stretch: number;
  readonly healthz: number;
  readonly status: number;
}

/** Milliseconds within which everybody else is answered. */
export const most = 100;
const width = 8;
const tries = 3;
/** Stalls that are enough to know. */
const mostTold = 3;
/** Milliseconds between two questions whether it is alive. */
const pause = 20;

/**
 * While the thread works it answers nobody, and a machine that has nothing else to do answers `/healthz` as soon as it is done: so the time of the
 * processor is what is judged. What the clock says is judged where it cannot be the machine: then the thread slept.
 */
const held = ({ stretch, healthz }: Pick<Stall, 'stretch' | 'healthz'>): boolean =>
  stretch > most || (healthz > 20 * most && healthz > 20 * stretch);

/** Sends requests, a few at a time, and looks at what becomes of everybody else meanwhile. */
export class Watch {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: width });
  /** Of its own, so that no connection is used again that a refusal closes. */
  readonly #asking = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #health: string;
  readonly #probe: string;
  readonly stalls: Stall[] = [];
  /** What got no answer: a server that refuses says so. */
  readonly unanswered: string[] = [];

  constructor(health: string, probe: string) {
    this.#health = health;
    this.#probe = probe;
  }

  async send({ method, url, headers, body }: Omit<Sent, 'name'>, agent = this.#agent): Promise<Heard> {
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
          agent,
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => {
            if (text.length < 2_000_000) text += chunk;
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
          answer.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async read(): Promise<Reading> {
    return JSON.parse(
      (await this.send({ method: 'GET', url: this.#probe, headers: {} }, this.#asking)).text,
    ) as Reading;
  }

  async seen(): Promise<Seen> {
    const sent = { method: 'GET', url: `${this.#probe}/seen`, headers: {} };
    return JSON.parse((await this.send(sent, this.#asking)).text) as Seen;
  }

  /** Sends all, and counts the codes of the answers by name; what seems to hold up others is sent again by itself, and told where it does so every time. */
  async all(requests: Iterable<Sent>): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
    const answers = new Map<string, Map<string, number>>();
    const heard = ({ name }: Sent, { status, text }: Heard): void => {
      const code = /"(?:error_)?code":"(\w+)/.exec(text)?.[1] ?? String(status);
      const said = answers.get(name) ?? new Map<string, number>();
      answers.set(name, said.set(code, (said.get(code) ?? 0) + 1));
    };
    let group: Sent[] = [];
    const finish = async (): Promise<void> => {
      const { stretch, healthz } = await this.#together(group, heard);
      if (held({ stretch, healthz }))
        for (const one of group) if (this.stalls.length < mostTold) await this.#alone(one);
      group = [];
    };
    for (const one of requests) {
      group.push(one);
      if (group.length === width) await finish();
      if (this.stalls.length >= mostTold) return answers;
    }
    if (group.length > 0) await finish();
    return answers;
  }

  async #together(
    group: readonly Sent[],
    heard: (sent: Sent, answer: Heard) => void,
  ): Promise<{ stretch: number; healthz: number; status: number }> {
    const open = new Set(group);
    let status = 0;
    const answered = Promise.all(
      group.map(async (one) => {
        const answer = await this.send(one).catch((error: unknown): Heard => {
          this.unanswered.push(`${one.name}, ${one.what ?? ''}: ${String(error)}`);
          return { status: 0, text: '' };
        });
        ({ status } = answer);
        heard(one, answer);
        open.delete(one);
      }),
    );
    let healthz = 0;
    do {
      const since = performance.now();
      await this.send({ method: 'GET', url: this.#health, headers: {} }, this.#asking);
      healthz = Math.max(healthz, performance.now() - since);
      if (open.size > 0) await Promise.race([answered, sleep(pause)]);
    } while (open.size > 0);
    await answered;
    const { stretch } = await this.read();
    return { stretch, healthz, status };
  }

  /** The best of several tries counts. */
  async #alone(one: Sent): Promise<void> {
    let best: Stall = { name: one.name, what: one.what, stretch: Infinity, healthz: Infinity, status: 0 };
    // What takes ten times as long needs no second look.
    for (
      let left = tries;
      left > 0 && held(best) && !(best.stretch < Infinity && best.stretch > 10 * most);
      left -= 1
    ) {
      const { stretch, healthz, status } = await this.#together([one], () => undefined);
      best = { ...best, stretch: Math.min(best.stretch, stretch), healthz: Math.min(best.healthz, healthz), status };
    }
    if (held(best)) this.stalls.push(best);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
    this.#asking.destroy();
  }
}
