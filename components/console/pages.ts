import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { html, pageHeaders, pageText, type Clock, type Log } from '@steward/kernel';
import type { Asset, Assets, LoadAssets } from './assets.ts';

/** Everything of the console's pages is of its own origin, and no text becomes markup or a script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const shellHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** After a failure it is not built anew at once. Milliseconds. */
const pause = 10_000;

export interface Pages {
  /** What is built; undefined where there is none, or not yet. */
  ready(): Promise<Assets | undefined>;
  /** The script and the style sheet that the page begins with, by which pages know that theirs is of another version; undefined until it is built. */
  entry(): string | undefined;
  /** @returns false where this process has no console */
  shell(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** @returns false where there is no such file */
  file(request: IncomingMessage, response: ServerResponse, name: string): Promise<boolean>;
}

export function createPages(load: LoadAssets, { clock, log }: { readonly clock: Clock; readonly log: Log }): Pages {
  let loading: Promise<Assets | undefined> | undefined;
  let again = 0;
  let entry: string | undefined;
  const entered = (assets: Assets | undefined): Assets | undefined => {
    const named = (tag: string, name: string): string | undefined =>
      assets?.html.split(tag)[1]?.split(` ${name}="`)[1]?.split('"')[0];
    const files = [named('<script type="module"', 'src'), named('<link rel="stylesheet"', 'href')];
    entry = assets === undefined ? undefined : files.join(' ');
    return assets;
  };
  const begun = (): Promise<Assets | undefined> => {
    if (again > 0 && clock() >= again) [loading, again] = [undefined, 0];
    return (loading ??= load()
      .then(entered)
      .catch((err: unknown) => {
        log.error({ err }, 'the console cannot be built, so that its pages are not served');
        again = clock() + pause;
        return undefined;
      }));
  };
  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
    body: Buffer | string,
  ): void => {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  return {
    ready: begun,
    entry: () => entry,
    shell: async (request, response) => {
      // Who comes while it is built waits with a page that asks again.
      const found = await Promise.race([begun(), turn('soon' as const)]);
      if (found === undefined) return false;
      const waits = found === 'soon';
      const head = { status: waits ? 503 : 200, headers: waits ? waitHeaders : shellHeaders };
      send(request, response, head, waits ? wait : found.html);
      return true;
    },
    file: async (request, response, name) => {
      const file = (await begun())?.files.get(name);
      if (file === undefined) return false;
      const { encoding, bytes } = encoded(file, String(request.headers['accept-encoding'] ?? ''));
      const headers = {
        'content-type': file.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      };
      send(request, response, { status: 200, headers }, bytes);
      return true;
    },
  };
}

function encoded(file: Asset, accepted: string): { readonly encoding?: string; readonly bytes: Buffer } {
  if (file.brotli !== undefined && /\bbr\b/.test(accepted)) return { encoding: 'br', bytes: file.brotli };
  if (file.gzip !== undefined && /\bgzip\b/.test(accepted)) return { encoding: 'gzip', bytes: file.gzip };
  return { bytes: file.bytes };
}

const waitHeaders = { ...pageHeaders, 'retry-after': '2' };
const wait = pageText(
  'Steward',
  html`<meta http-equiv="refresh" content="1" />
    <h1>Steward</h1>
    <p>The console is made ready, once after each update. This page opens it by itself in a few seconds.</p>
    <p><a href="/about">What runs here</a></p>`,
);
