import { Problem, unreachable } from './problem.ts';
import { longest, timed } from './waiting.ts';

// What a page reads when it begins is one request: its screen and the shell ask for it in one moment, and each further request is one
// more before anything is seen.

/** Something that is read. */
export interface Asking {
  readonly tenant: string;
  /** Behind the organization: `portal/api/members?limit=2`. */
  readonly path: string;
  /** Of a GraphQL document; a route that is read has none. */
  readonly body?: unknown;
}

interface Waits {
  readonly asking: Asking;
  readonly answered: (answer: Response | undefined) => void;
  readonly failed: (error: unknown) => void;
}

type Send = (address: string, asked: { readonly body: object; readonly signal: AbortSignal }) => Promise<Response>;

/** An answer as it comes with others; `alone` where it is too long for that. */
interface Line {
  readonly at: number;
  readonly status: number;
  readonly type: string;
  /** `Retry-After`. */
  readonly wait?: string;
  readonly body: string;
  readonly alone?: true;
}

/** As many as the server takes. */
const most = 16;

/** Undefined once they were asked for: whatever is read later is asked for by itself. */
let first: Waits[] | undefined = [];

/** @returns what was answered, or undefined where it is to be asked for by itself */
export async function readWithOthers(asking: Asking, send: Send): Promise<Response | undefined> {
  const waiting = first;
  if (waiting === undefined || waiting.length >= most || (waiting[0]?.asking.tenant ?? asking.tenant) !== asking.tenant)
    return undefined;
  if (waiting.length === 0)
    setTimeout(() => {
      first = undefined;
      void askFor(waiting, send);
    });
  return new Promise<Response | undefined>((answered, failed) => {
    waiting.push({ asking, answered, failed });
  });
}

async function askFor(all: readonly Waits[], send: Send): Promise<void> {
  const [one, ...others] = all;
  if (one === undefined) return;
  if (others.length === 0) return one.answered(undefined);
  const ending = new AbortController();
  const givenUp = setTimeout(() => ending.abort(), longest);
  const over = timed();
  try {
    const answer = await send(`/console/api/o/${encodeURIComponent(one.asking.tenant)}/reads`, {
      signal: ending.signal,
      body: { reads: all.map(({ asking: { path, body } }) => ({ path, body })) },
    });
    if (answer.ok) await hand(all, answer);
    else for (const { answered } of all) answered(answer.clone());
  } catch (cause) {
    for (const { failed } of all) failed(cause instanceof Problem ? cause : unreachable(cause));
  } finally {
    clearTimeout(givenUp);
    over();
  }
  // Where the answer broke off; who was answered hears nothing of it.
  for (const { answered } of all) answered(undefined);
}

/** Each line as it comes: nobody waits for the slowest. */
async function hand(all: readonly Waits[], answer: Response): Promise<void> {
  let rest = '';
  for await (const text of (answer.body ?? new Blob().stream()).pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { at, status, type, wait, body, alone } = JSON.parse(line) as Line;
      const headers = { 'content-type': type, ...(wait === undefined ? {} : { 'retry-after': wait }) };
      all[at]?.answered(alone === true ? undefined : new Response(body === '' ? null : body, { status, headers }));
    }
  }
}
