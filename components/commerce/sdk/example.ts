import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Request, Scope } from '@steward/kernel';

const part = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What the page of a product says to machines, as a block of data; undefined: it is the page of none. */
export type SaysOf = (request: Request) => Promise<string | undefined>;

/**
 * Pages of a storefront to try a form in, at `/example?form=…&key=…`, and a shop, at `/example/shop?key=…`. They are the same for everybody, but for what
 * the page of a product says to machines, and read their address in the browser; they call nobody but this storefront, whatever the address says.
 */
export function mountExamples(scope: Scope, says: SaysOf): void {
  mountPage(scope, '/example', 'page', async () => undefined);
  mountPage(scope, '/example/shop', 'shop', says);
}

function mountPage(scope: Scope, path: string, name: string, says: SaysOf): void {
  const style = part(`./${name}.css`);
  const script = part(`./${name}.js`);
  const [before = '', after = ''] = part(`./${name}.html`)
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`)
    .split('<script type="application/ld+json"></script>');
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  scope.get(path, async (request, reply) =>
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(before + ((await says(request)) ?? '') + after),
  );
}
