import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  answerProblem,
  fail,
  html,
  isId,
  isLoopback,
  limitBucket,
  logFailure,
  pageHeaders,
  pageText,
  Problem,
  problemOf,
  requestIdOf,
  type ClientAddress,
  type Log,
  type RequestHandler,
  dictionary,
} from '@steward/kernel';
import type { Limit, Limiter } from '@steward/limits';
import { documentRequest } from './forward/document.ts';
import type { createForward } from './forward/forward.ts';
import { isStream, targetOf, type Target } from './forward/target.ts';
import { answerTogether, readsOf } from './forward/together.ts';
import { hasBody, withheld } from './forward/withheld.ts';
import type { Pages } from './pages.ts';
import type { createJar } from './sessions/cookies.ts';
import type { Session } from './sessions/session.ts';
import type { Streams } from './sessions/streams.ts';
import type { SessionStore } from './sessions/store.ts';
import { ended, type TokenFor } from './sessions/tokens.ts';
import type { SignIn } from './sign-in/sign-in.ts';

export interface FrontPorts {
  /** Of the portal, where the console is. */
  readonly origin: URL;
  /** The path of the portal, below which addresses of approvals are. */
  readonly portal: string;
  /** Other hosts lead to other places than this. */
  readonly manyHosts: boolean;
  readonly pages: Pages;
  readonly jar: ReturnType<typeof createJar>;
  readonly store: SessionStore;
  readonly streams: Pick<Streams, 'open' | 'end'>;
  readonly signIn: SignIn;
  readonly tokenFor: TokenFor;
  /** By name; the token is for the portal. */
  readonly organizationsOf: (token: string) => Promise<readonly object[]>;
  readonly forward: ReturnType<typeof createForward>;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly clientAddress: ClientAddress;
  /** What every page may know of this installation. */
  readonly about: object;
  readonly log: Log;
}

/** Each asks an identity provider something. */
const begins = { name: 'console-sign-in', allowed: 60, windowSeconds: 60 };
const returns = { name: 'console-signed-in', allowed: 60, windowSeconds: 60 };

/** What a page says, beside what a browser says by itself (OAuth 2.0 for Browser-Based Applications §6.1.3.3). */
const ours = 'x-steward-console';
/** What a page says where a person has just done something in it: only that ends the time for which a session is left alone, and nothing else follows from it. */
const acted = 'x-steward-acted';

type Handle = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

/** In front of the router: the addresses of the console at the portal's host, `/`, `/o/…` and `/console…`. @param route answers everything else */
export function createFront(ports: FrontPorts): (route: RequestHandler) => RequestHandler {
  const { origin, portal, manyHosts, pages, jar, store, streams, signIn, tokenFor, forward, log } = ports;
  return (route) => {
    const shell: Handle = async (request, response) => {
      const strays = (await pages.shell(request, response)) ? undefined : 'no console';
      if (strays !== undefined) route(request, response);
    };
    const sessionOf = async (request: IncomingMessage): Promise<Session | undefined> => {
      const key = jar.session.read(request);
      return key === undefined ? undefined : store.find(key, request.headers[acted] === '1');
    };
    const signedIn = async (request: IncomingMessage): Promise<readonly [key: string, session: Session]> => {
      const session = await sessionOf(request);
      const key = jar.session.read(request);
      if (key === undefined || session === undefined) throw ended();
      return [key, session];
    };
    /** A session may end in any process while a body is waited for: then it is done for nobody. */
    const heldBack = (request: IncomingMessage, response: ServerResponse, session: Session): IncomingMessage =>
      isUnsafe(request) && hasBody(request)
        ? withheld(request, response, async () => {
            if (!(await store.lives(session))) throw ended();
          })
        : request;
    /** People look at what becomes of it. */
    const visited =
      (handle: Handle): Handle =>
      async (request, response, url) => {
        try {
          await handle(request, response, url);
        } catch (error) {
          const problem = problemOf(error);
          if (problem.status >= 500) logFailure(log, problem, {}, 'a sign-in was not completed');
          const goesOn = signIn.overtaken(url, jar.signingIn.read(request));
          sendPage(response, problem, goesOn ? [] : [jar.signingIn.set('')]);
        }
      };
    const carry = async (request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> => {
      const [key, session] = await signedIn(request);
      if (isStream(target)) streams.open(session, response);
      const token = await tokenFor(key, session, target.place, isUnsafe(request));
      const whole = heldBack(request, response, session);
      const asked = target.path.startsWith('/graphql')
        ? await documentRequest(whole, (await pages.ready())?.documents ?? new Map())
        : whole;
      forward(asked, response, target, token, route);
    };
    /** Each read is asked for as if it came alone: only that it came, and that its answer leaves, is shared. */
    const readTogether = async (request: IncomingMessage, response: ServerResponse, tenant: string): Promise<void> => {
      const [key, session] = await signedIn(request);
      const documents = (await pages.ready())?.documents ?? new Map();
      const reads = await readsOf(heldBack(request, response, session), tenant, documents);
      const accepted = String(request.headers['accept-encoding'] ?? '');
      await answerTogether(response, accepted, reads, async (read, answer) =>
        forward(read.request, answer, read.target, await tokenFor(key, session, read.target.place, false), route),
      );
    };
    const takeTurn = async (request: IncomingMessage, limit: Limit): Promise<void> => {
      const key = limitBucket(ports.clientAddress(request));
      const { refusal } = await ports.limiter.take([{ limit, key }]);
      if (refusal !== undefined) throw refusal;
    };
    const lead = async (
      request: IncomingMessage,
      response: ServerResponse,
      url: URL,
      fresh: boolean,
    ): Promise<void> => {
      if (strayed(request, origin)) return redirect(response, new URL(url.pathname + url.search, origin).href, []);
      requireVisit(request);
      // Another site signs nobody in: they press the button themselves.
      if (isFromElsewhere(request)) return redirect(response, '/', []);
      await takeTurn(request, begins);
      const present = await sessionOf(request);
      if (fresh && present === undefined) return redirect(response, '/', []);
      const { address, begun } = await signIn.begin(url.searchParams, present, fresh);
      redirect(response, address.href, [jar.signingIn.set(begun)]);
    };
    const named = dictionary<Partial<Record<string, Handle>>>({
      '/console': { GET: shell },
      '/console/stepped-up': { GET: shell },
      '/console/signed-out': { GET: shell },
      '/console/session': {
        GET: async (request, response) => {
          const [key, session] = await signedIn(request);
          const organizations = await ports.organizationsOf(await tokenFor(key, session, 'portal', false));
          const { name, email, subject, deciding, endsAt } = session;
          sendJson(response, 200, {
            person: { id: subject, name: name ?? email ?? subject, email: email ?? null },
            deciding_until: deciding === undefined || deciding.until <= Date.now() ? null : moment(deciding.until),
            ends_at: endsAt.toISOString(),
            organizations,
            ...ports.about,
          });
        },
      },
      '/console/providers': {
        GET: async (_request, response) => sendJson(response, 200, { providers: signIn.providers, ...ports.about }),
      },
      '/console/sign-in': { GET: visited(async (request, response, url) => lead(request, response, url, false)) },
      '/console/step-up': { GET: visited(async (request, response, url) => lead(request, response, url, true)) },
      '/console/signed-in': {
        GET: visited(async (request, response, url) => {
          requireVisit(request);
          await takeTurn(request, returns);
          const client = String(request.headers['user-agent'] ?? '').slice(0, 200);
          const { key, back } = await signIn.finish(url, jar.signingIn.read(request), client);
          redirect(response, back, [jar.signingIn.set(''), ...(key === undefined ? [] : [jar.session.set(key)])]);
        }),
      },
      '/console/sign-out': {
        POST: async (request, response) => {
          const [key, session] = await signedIn(request);
          // Who cannot be recorded any more is signed out all the same.
          const token = await tokenFor(key, session, 'portal', false).catch(() => undefined);
          await signIn.end(session, session.id, token);
          streams.end(session.id);
          response.setHeader('set-cookie', [jar.session.set('')]);
          sendJson(response, 200, { leave: (await signIn.leave(session))?.href ?? null });
        },
      },
      '/console/sessions': {
        GET: async (request, response) => {
          const [, session] = await signedIn(request);
          const sessions = (await store.list(session)).map(({ id, client, startedAt, seenAt }) => ({
            id,
            current: id === session.id,
            client,
            started_at: startedAt.toISOString(),
            seen_at: seenAt.toISOString(),
          }));
          sendJson(response, 200, { sessions });
        },
      },
    });
    const handle: Handle = async (request, response, url) => {
      const { pathname } = url;
      const approval = approvalAt(portal, request.url ?? '');
      if (approval !== undefined) {
        // A process without the pages shows the plain one.
        if ((await pages.ready()) === undefined) return route(request, response);
        return redirect(response, approval, []);
      }
      if (/^\/console\/approvals\/[\w-]+$/.test(pathname)) {
        if (isUnsafe(request)) throw notAllowed(['GET']);
        return shell(request, response, url);
      }
      if (pathname === '/' || pathname === '/o' || pathname.startsWith('/o/')) return shell(request, response, url);
      if (pathname.startsWith('/console/assets/')) {
        if (isUnsafe(request)) throw notAllowed(['GET']);
        if (await pages.file(request, response, pathname.slice('/console/assets/'.length))) return;
        throw fail('not_found', 'Nothing is served at this address.');
      }
      requireOwnPage(request, pathname);
      const entry = pages.entry();
      if (entry !== undefined) response.setHeader('x-steward-console-entry', entry);
      const raw = request.url ?? '';
      const together = /^\/console\/api\/o\/([^/]+)\/reads$/.exec(pathname)?.[1];
      if (together !== undefined && isId(together)) return readTogether(request, response, together);
      if (pathname.startsWith('/console/api/')) {
        const target = targetOf(raw.slice('/console/api/'.length));
        if (target === undefined) throw fail('not_found', 'The console forwards nothing to this address.');
        return carry(request, response, target);
      }
      const events = /^\/console\/events\/([^/]+)$/.exec(pathname)?.[1];
      if (events !== undefined && isId(events)) {
        if (isUnsafe(request)) throw notAllowed(['GET']);
        return carry(request, response, { place: 'portal', tenant: events, path: `/api/events/stream${url.search}` });
      }
      const one = /^\/console\/sessions\/([^/]+)$/.exec(pathname)?.[1];
      if (one !== undefined && isId(one)) {
        if (request.method !== 'DELETE') throw notAllowed(['DELETE']);
        const [key, session] = await signedIn(request);
        const token = await tokenFor(key, session, 'portal', false);
        if (!(await signIn.end(session, one, token))) throw fail('not_found', 'No session of yours has this id.');
        streams.end(one);
        response.writeHead(204, { 'cache-control': 'no-store' }).end();
        return;
      }
      const found = named[pathname];
      if (found === undefined) throw fail('not_found', 'Nothing is served at this address.');
      const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
      const verb = Object.hasOwn(found, method) ? found[method] : undefined;
      if (verb === undefined) throw notAllowed(Object.keys(found));
      return verb(request, response, url);
    };
    return (request, response) => {
      const url = request.url ?? '/';
      if (!isOurs(request, url, portal) || (manyHosts && request.headers.host !== origin.host))
        return route(request, response);
      handle(request, response, new URL(url, origin)).catch((error: unknown) => {
        const problem = problemOf(error);
        const requestId = requestIdOf(request);
        if (problem.status >= 500) logFailure(log, problem, { requestId }, 'a request of the console failed');
        if (response.headersSent) return void response.destroy();
        // What is left of a body that nobody reads would be waited for with the next request.
        if (!request.complete) response.setHeader('connection', 'close');
        answerProblem(response, problem, requestId);
      });
    };
  };
}

/** Pages are for people who visit; programs that ask for `/` are answered as ever. */
function isOurs({ method, headers }: IncomingMessage, url: string, portal: string): boolean {
  if (url.startsWith('/console') && /^\/console(?:[/?]|$)/.test(url)) return true;
  const visited = url === '/' || url.startsWith('/o/') || url.startsWith('/?');
  if (!visited && approvalAt(portal, url) === undefined) return false;
  return (method === 'GET' || method === 'HEAD') && /(?:^|,)\s*text\/html\b/.test(headers.accept ?? '');
}

/**
 * The console's page for an address of an action that agents and mails give, `{portal}/approvals/{id}`; with `?plain` it stays the
 * plain page, which needs nothing of the console.
 */
function approvalAt(portal: string, url: string): string | undefined {
  const start = `${portal}/approvals/`;
  const id = url.startsWith(start) ? url.slice(start.length) : '';
  return isId(id) ? `/console/approvals/${id}` : undefined;
}

const isUnsafe = ({ method }: IncomingMessage): boolean => method !== 'GET' && method !== 'HEAD';

/** Where a visitor is led from and to at sign-in, which others may link to. */
const entrances = new Set([
  '/console',
  '/console/stepped-up',
  '/console/sign-in',
  '/console/step-up',
  '/console/signed-in',
  '/console/signed-out',
]);

/**
 * What is done with somebody's session is asked for by our own pages: browsers say so of each request, and what changes something has a header that
 * no page of another origin may send without asking.
 * @throws Problem `invalid_request` (400)
 */
function requireOwnPage(request: IncomingMessage, pathname: string): void {
  if (entrances.has(pathname)) return;
  const site = request.headers['sec-fetch-site'];
  if (isUnsafe(request)) {
    if (site === 'same-origin' && request.headers[ours] === '1') return;
  } else if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw fail('invalid_request', 'This is for pages of the console alone: call the API with a token of your own.');
}

/** A page goes there; a picture, a frame or a script of another site does not. @throws Problem `invalid_request` (400) */
function requireVisit({ headers }: IncomingMessage): void {
  if ((headers['sec-fetch-dest'] ?? 'document') === 'document') return;
  throw fail('invalid_request', 'Open this address in a window of your browser.');
}

const isFromElsewhere = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';

/** A machine has several names; the cookie of one is not sent to another. */
function strayed({ headers }: IncomingMessage, origin: URL): boolean {
  const given = URL.parse(`http://${headers.host ?? ''}`);
  return given !== null && given.host !== origin.host && isLoopback(given.hostname) && isLoopback(origin.hostname);
}

const moment = (milliseconds: number): string => new Date(milliseconds).toISOString();

const notAllowed = (methods: readonly string[]): Problem =>
  fail('method_not_allowed', `Use ${methods.join(' or ')} here.`, { headers: { allow: methods.join(', ') } });

function redirect(response: ServerResponse, to: string, cookies: readonly string[]): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(302, { location: to, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).end();
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(text);
}

function sendPage(response: ServerResponse, problem: Problem, cookies: readonly string[]): void {
  const text = pageText(
    'The sign-in was not completed',
    html`<h1>The sign-in was not completed</h1>
      <p>${problem.detail}</p>
      <p><a href="/console/sign-in">Sign in again</a></p>`,
  );
  response.setHeader('set-cookie', cookies);
  response.writeHead(problem.status, { ...pageHeaders, ...problem.headers }).end(text);
}
