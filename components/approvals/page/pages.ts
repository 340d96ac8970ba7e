import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fail, isId, type Reply, type Scope, dictionary } from '@steward/kernel';
import type { SignIn } from './sign-in.ts';

const scripts =
  'page action api approvers decision list members organization people reading refusal screen session show sign-in submission words'.split(
    ' ',
  );
const types = dictionary<string>({
  ...Object.fromEntries(scripts.map((name) => [`${name}.js`, 'text/javascript; charset=utf-8'])),
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
});

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export interface PageOptions {
  /** The portal's public base URL. */
  readonly portal: string;
  /** The client that people decide with at an issuer (the first of `APPROVER_CLIENTS`); where it is undefined nobody signs in there. */
  readonly clientAt: (issuer: string) => string | undefined;
  /** Where they sign in; what cannot be reached is left out. */
  readonly providers: () => Promise<readonly SignIn[]>;
}

/**
 * The pages on which people decide: `{portal}/approvals` and `{portal}/approvals/{id}`, the addresses in agents' answers and in mail.
 * An id is a name and no capability, and the reader is not known yet: the page is the same for every id, existing
 * or not, and calls the API with the token of the person who signs in. Likewise `{portal}/submissions/{id}` and `{portal}/submissions/forms/{id}`,
 * on which members read the submissions that emails report.
 */
export function approvalPages(scope: Scope, { portal, clientAt, providers }: PageOptions): void {
  const base = `${portal}/approvals`;
  const template = read('page.html').replaceAll('{{base}}', () => escaped(base));
  const page = async (words: Words): Promise<{ html: string; policy: string }> => {
    const known = (await providers()).flatMap((provider) => {
      const client = clientAt(provider.issuer);
      return client === undefined ? [] : [{ ...provider, client }];
    });
    const submissions = `${portal}/submissions`;
    const settings = { portal, base, submissions, redirect: signedInAt(portal), providers: known };
    const html = template
      .replaceAll('{{heading}}', words.heading)
      .replace('{{words}}', words.words)
      .replace('{{settings}}', () => escaped(JSON.stringify(settings)));
    return { html, policy: policyOf(portal, known) };
  };
  const send = async (reply: Reply, words = deciding): Promise<unknown> => {
    const { html, policy } = await page(words);
    return reply
      .type('text/html; charset=utf-8')
      .headers({ ...headers, 'content-security-policy': policy })
      .send(html);
  };
  scope.get('/approvals', async (_request, reply) => send(reply));
  scope.get('/approvals/signed-in', async (_request, reply) => send(reply));
  scope.get('/approvals/:id', async (request, reply) => {
    if (!isId((request.params as { id: string }).id)) throw fail('not_found', 'Nothing is served at this address.');
    return send(reply);
  });
  for (const path of ['/submissions/:id', '/submissions/forms/:id']) {
    scope.get(path, async (request, reply) => {
      if (!isId((request.params as { id: string }).id)) throw fail('not_found', 'Nothing is served at this address.');
      return send(reply, reading);
    });
  }
  for (const [name, type] of Object.entries(types)) {
    const text = read(name);
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    scope.get(`/approvals/page/${name}`, async (request, reply) => {
      reply.headers({ etag, 'cache-control': 'no-cache', 'cross-origin-resource-policy': 'same-origin' });
      return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.type(type).send(text);
    });
  }
}

/** What the page shows before anybody has signed in. */
interface Words {
  readonly heading: string;
  readonly words: string;
}
const deciding: Words = {
  heading: 'An action awaits a decision',
  words:
    'An agent asked for something that takes effect only when people with the right role have approved it. Opening this page has decided nothing.',
};
const reading: Words = {
  heading: 'Submissions to a form',
  words: 'Members of the organization read here what visitors of its website sent.',
};

/** Where the identity provider sends people back to: to be registered there for the client. */
export const signedInAt = (portal: string): string => `${portal}/approvals/signed-in`;

const headers = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Its own files, its own API and the token endpoints; no markup is ever made of text. */
function policyOf(portal: string, providers: readonly SignIn[]): string {
  const files = `${portal}/approvals/page/`;
  const tokens = providers.map(({ tokenEndpoint }) => sourceOf(tokenEndpoint));
  return [
    "default-src 'none'",
    `script-src ${files}`,
    `style-src ${files}`,
    `img-src ${files}`,
    `connect-src ${[`${portal}/api/`, ...tokens].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** A source of a policy has no query, and `;` and `,` would end it. */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
