import { Agent as PlainAgent, request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { dictionary } from './dictionary.ts';
import { AddressRefused, lookupFor, responseTo } from './guarded-fetch.ts';

/** What was answered, as far as it was read. */
export interface Posted {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The first bytes of the body. */
  readonly beginning: Buffer;
}

export interface PostRequest {
  /** `POST` where it is left out. */
  readonly method?: 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Nothing was answered in time, or nothing that is an answer. Whether the request arrived is not known. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** `timed_out`, `connection_refused`, `connection_closed`, `name_not_found`, `tls_failed`, `unreachable` or `not_http`. */
  readonly code: string;
  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

export interface GuardedPost {
  /**
   * Never follows a redirect. Beyond the first bytes nothing of an answer is read.
   * @throws AddressRefused before anything is sent, NoAnswer
   */
  post(address: string, sent: PostRequest): Promise<Posted>;
  /** Closes the connections that are kept. */
  close(): void;
}

export interface GuardedPostOptions {
  /** Names of this machine itself are fine, at any port and by http as well. */
  readonly loopback: boolean;
  /** Those that may be asked of others. */
  readonly ports?: readonly number[];
  /** Of DNS; the machine's where it is left out. */
  readonly servers?: readonly string[];
  /** Milliseconds from the first step to the end of what is read. */
  readonly deadline: number;
  /** Of the body of an answer. */
  readonly bytesKept: number;
}

/** How long a connection that nothing is sent on is kept. Milliseconds. */
const idle = 15_000;

/**
 * Posts to addresses that strangers chose, under the rules of `createGuardedFetch`. A connection is kept for what follows, and leads to
 * the address that was judged when it was made.
 */
export function createGuardedPost({
  loopback,
  ports = [443],
  servers,
  deadline,
  bytesKept,
}: GuardedPostOptions): GuardedPost {
  const keeping = { keepAlive: true, maxFreeSockets: 64, timeout: idle, scheduling: 'lifo' } as const;
  const [agent, plainAgent] = [new Agent(keeping), new PlainAgent(keeping)];
  const once = async (url: URL, sent: PostRequest, lookup: ReturnType<typeof lookupFor>): Promise<Posted> => {
    const options = {
      method: sent.method ?? 'POST',
      headers: { ...sent.headers, 'content-length': String(Buffer.byteLength(sent.body)) },
      lookup,
      signal: AbortSignal.timeout(deadline),
    };
    const asked =
      url.protocol === 'https:'
        ? request(url, { ...options, agent })
        : plainRequest(url, { ...options, agent: plainAgent });
    const answered = responseTo(asked);
    asked.end(sent.body);
    let response: IncomingMessage;
    try {
      response = await answered;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      throw asked.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE') ? new Stale('closed', { cause }) : cause;
    }
    try {
      return await readBeginning(asked, response, bytesKept);
    } catch (cause) {
      throw options.signal.aborted ? Object.assign(new Error('timed out', { cause }), { code: 'ETIMEDOUT' }) : cause;
    }
  };
  return {
    post: async (address, sent) => {
      const url = new URL(address);
      const lookup = lookupFor(url, { loopback, ports, servers, plain: true });
      try {
        return await once(url, sent, lookup);
      } catch (first) {
        if (!(first instanceof Stale)) throw failure(first);
        try {
          return await once(url, sent, lookup);
        } catch (cause) {
          throw failure(cause instanceof Stale ? cause.cause : cause);
        }
      }
    },
    close: () => {
      agent.destroy();
      plainAgent.destroy();
    },
  };
}

/** A connection that was kept was closed by the other side just now: asking once more costs nobody anything. */
class Stale extends Error {
  override readonly name = 'Stale';
}

const failure = (cause: unknown): Error =>
  cause instanceof AddressRefused ? cause : new NoAnswer(codeOf(cause), { cause });

/** To the end of a short body, after which the connection may be used again; the rest of a long one is not waited for. */
async function readBeginning(asked: ClientRequest, response: IncomingMessage, most: number): Promise<Posted> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) {
      asked.destroy();
      break;
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    beginning: Buffer.concat(chunks).subarray(0, most),
  };
}

const codes = dictionary<string>({
  ABORT_ERR: 'timed_out',
  ETIMEDOUT: 'timed_out',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  ENOTFOUND: 'name_not_found',
});

function codeOf(cause: unknown): string {
  const { code = '', message = '' } = (cause ?? {}) as { code?: string; message?: string };
  const known = codes[code];
  if (known !== undefined) return known;
  if (message === 'the name has no address') return 'name_not_found';
  if (code.startsWith('HPE_')) return 'not_http';
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) return 'tls_failed';
  return 'unreachable';
}
