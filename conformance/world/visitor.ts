import type { Json } from './world.ts';

export interface Visit {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
  /** Where it ended, after being led on. */
  readonly url: URL;
}

interface Wishes {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Follows redirects, as browsers do; not where a test looks at each step. */
  readonly follow?: boolean;
}

/** A browser of one person without pages: cookies by name and host, and redirects. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  go(url: string | URL, wishes?: Wishes): Promise<Visit>;
  /** What a page of the console asks for. */
  ask(path: string, wishes?: Wishes): Promise<Visit>;
  /** Signs in with the development provider, where a page leads. */
  signIn(email: string, path?: string): Promise<Visit>;
}

const hops = 12;

export function createVisitor(origin: string): Visitor {
  const cookies = new Map<string, string>();
  const go: Visitor['go'] = async (address, { method = 'GET', headers = {}, body, follow = true } = {}) => {
    let url = new URL(address, origin);
    let asked = { method, body };
    for (let hop = 0; hop < hops; hop += 1) {
      const form = asked.body instanceof URLSearchParams;
      const answer = await fetch(url, {
        method: asked.method,
        redirect: 'manual',
        headers: {
          accept: 'text/html,*/*',
          'user-agent': 'Visitor/1',
          ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
          ...(asked.body === undefined || form ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(asked.body === undefined
          ? {}
          : { body: form ? (asked.body as URLSearchParams) : JSON.stringify(asked.body) }),
      });
      for (const set of answer.headers.getSetCookie()) {
        const [pair = ''] = set.split(';');
        const cut = pair.indexOf('=');
        const name = pair.slice(0, cut);
        if (/max-age=0/i.test(set) || /expires=Thu, 01 Jan 1970/i.test(set)) cookies.delete(name);
        else cookies.set(name, pair.slice(cut + 1));
      }
      const location = answer.headers.get('location');
      if (!follow || location === null || answer.status < 300 || answer.status > 399) {
        const text = await answer.text();
        const json =
          /^application\/(?:[\w.-]+\+)?json(?:;|$)/.test(answer.headers.get('content-type') ?? '') && text !== '';
        return {
          status: answer.status,
          headers: answer.headers,
          text,
          body: (json ? JSON.parse(text) : {}) as Json,
          url,
        };
      }
      await answer.body?.cancel();
      url = new URL(location, url);
      asked = { method: 'GET', body: undefined };
    }
    throw new Error(`led on and on, at last to ${url.href}`);
  };
  return {
    cookies,
    go,
    ask: async (path, wishes = {}) =>
      go(path, {
        ...wishes,
        headers: {
          accept: 'application/json',
          'sec-fetch-site': 'same-origin',
          'x-steward-console': '1',
          ...wishes.headers,
        },
      }),
    signIn: async (email, path = '/console/sign-in') => {
      const page = await go(path);
      if (!page.url.pathname.includes('/interaction/')) return page;
      return go(page.url, { method: 'POST', body: new URLSearchParams({ action: 'login', email }) });
    },
  };
}
