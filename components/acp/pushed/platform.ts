import { randomUUID } from 'node:crypto';
import { type Answered, failed, judged } from '@steward/deliveries';
import type { GuardedPost, Posted } from '@steward/kernel';
import { version } from '../versions.ts';

/** How a platform is called. */
export interface Platform {
  readonly url: string;
  readonly token: string;
}

/** What became of a request. */
export type Outcome =
  /** Of a feed, its id at the platform. */
  | { readonly took: true; readonly id: string }
  | {
      readonly took: false;
      /**
       * `again`: it may become something later. `contents`: the platform does not take what was sent, so less is sent. `lost`: it has no such feed. `final`: it takes nothing from us,
       * until a person has done something about it.
       */
      readonly what: 'again' | 'contents' | 'lost' | 'final';
      /** A code, and what the platform said. */
      readonly words: string;
      /** Milliseconds that the platform asked for. */
      readonly wait: number | undefined;
    };

/** Bytes of an answer that are read: it has an id, or an error with its words. */
export const bytesKept = 16_384;
const longestWords = 500;

/** @param key of the repetition: the same as long as the platform has not answered, so that it makes one feed */
export async function createAt(
  post: GuardedPost['post'],
  platform: Platform,
  { key, targetCountry }: { readonly key: string; readonly targetCountry: string | null },
): Promise<Outcome> {
  const body = targetCountry === null ? {} : { target_country: targetCountry };
  const { answered, json } = await ask(post, platform, { path: '/feeds', key, body: JSON.stringify(body) });
  if (answered.stands || answered.error === 'redirected') return refused('final', answered, json, platform);
  if (!answered.delivered) return refused('again', answered, json, platform);
  const id = json?.['id'];
  if (typeof id !== 'string' || id === '' || id.length > 200 || /[\p{Cc}\p{Cs}]/u.test(id)) return unreadable;
  return { took: true, id };
}

/** Statuses by which a platform says that it is not about what was sent: who asks, how, or where. */
const final = new Set([401, 402, 403, 405, 406, 410, 426, 451]);

/** @param body `{"products": …}` */
export async function upsertAt(
  post: GuardedPost['post'],
  platform: Platform,
  { platformId, body }: { readonly platformId: string; readonly body: string },
): Promise<Outcome> {
  const path = `/feeds/${encodeURIComponent(platformId)}/products`;
  const { answered, json } = await ask(post, platform, { path, key: randomUUID(), body, method: 'PATCH' });
  const { status, stands, delivered, error } = answered;
  if (status === 404) return refused('lost', answered, json, platform);
  if (error === 'redirected' || (status !== null && final.has(status)))
    return refused('final', answered, json, platform);
  if (stands) return refused('contents', answered, json, platform);
  if (!delivered) return refused('again', answered, json, platform);
  if (json?.['accepted'] === true) return { took: true, id: platformId };
  return json?.['accepted'] === false
    ? refused('contents', { ...answered, error: 'not_accepted' }, json, platform)
    : unreadable;
}

const unreadable: Outcome = { took: false, what: 'again', words: 'answer_unreadable', wait: undefined };

interface Asked {
  readonly answered: Answered;
  /** Where the answer is an object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

async function ask(
  post: GuardedPost['post'],
  { url, token }: Platform,
  {
    path,
    key,
    body,
    method,
  }: { readonly path: string; readonly key: string; readonly body: string; readonly method?: 'PATCH' },
): Promise<Asked> {
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'api-version': version,
    'content-type': 'application/json',
    'idempotency-key': key,
    'request-id': randomUUID(),
    'user-agent': 'steward',
  };
  try {
    const posted = await post(`${url}${path}`, { headers, body, ...(method === undefined ? {} : { method }) });
    return { answered: judged(posted, Date.now()), json: objectOf(posted) };
  } catch (error) {
    return { answered: failed(error), json: undefined };
  }
}

function objectOf({ beginning }: Posted): Asked['json'] {
  try {
    const value: unknown = JSON.parse(beginning.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Asked['json']) : undefined;
  } catch {
    return undefined;
  }
}

/** What people are shown of a refusal: never the token, whatever the platform repeats of what it was sent. */
function refused(
  what: (Outcome & { took: false })['what'],
  { error, answer, wait }: Answered,
  json: Asked['json'],
  { token }: Platform,
): Outcome {
  const told = ['code', 'message', 'param'].flatMap((name) => {
    const value = json?.[name];
    return typeof value === 'string' ? [value] : [];
  });
  const words = (told.length > 0 ? told.join(': ') : (answer ?? ''))
    .replaceAll(token, '…')
    .replaceAll(/\p{Cc}|\uFFFD/gu, ' ')
    .slice(0, longestWords)
    .toWellFormed();
  return { took: false, what, words: words === '' ? (error ?? '') : `${error}: ${words}`, wait };
}
