import type { ServerResponse } from 'node:http';
import { fail, type Log } from '@steward/kernel';
import { createLoop } from '@steward/work';
import type { Session } from './session.ts';
import type { SessionStore } from './store.ts';

type Person = Pick<Session, 'id' | 'issuer' | 'subject'>;

/** Answers that last: they end with the session that they were asked for by. */
export interface Streams {
  /** @throws Problem `rate_limited` (429) where the session has five: tabs of a browser share one */
  open(session: Person, response: ServerResponse): void;
  /** Ends those of a session in this process at once; others end them within half a minute. */
  end(id: string): void;
  start(): void;
  stop(): Promise<void>;
}

const most = 5;
const every = 30_000;

export function createStreams(store: Pick<SessionStore, 'lives'>, log: Log): Streams {
  const open = new Map<string, { readonly person: Person; readonly answers: Set<ServerResponse> }>();
  const end = (id: string): void => {
    for (const answer of open.get(id)?.answers ?? []) answer.end();
    open.delete(id);
  };
  const watch = createLoop({
    round: async () => {
      for (const { person } of open.values()) if (!(await store.lives(person))) end(person.id);
      return every;
    },
    failed: (err) => log.warn({ err }, 'streams of sessions that ended elsewhere were not ended; it is tried again'),
    retry: { first: every, longest: every },
  });
  return {
    open: ({ id, issuer, subject }, response) => {
      const of = open.get(id) ?? { person: { id, issuer, subject }, answers: new Set() };
      if (of.answers.size >= most)
        throw fail('rate_limited', `A session follows events ${most} times at most: close another page.`, {
          headers: { 'retry-after': '10' },
        });
      open.set(id, of);
      of.answers.add(response);
      response.on('close', () => {
        of.answers.delete(response);
        if (of.answers.size === 0 && open.get(id) === of) open.delete(id);
      });
    },
    end,
    start: () => watch.start(),
    stop: async () => watch.stop(),
  };
}
