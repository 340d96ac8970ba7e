import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Scope } from '@steward/kernel';

const part = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Pages of a storefront to try a form in, at `/example?form=…&key=…`, and a shop, at `/example/shop?key=…`. They are the same for everybody and read
 * their address in the browser; they call nobody but this storefront, whatever the address says.
 */
export function mountExamples(scope: Scope): void {
  mountPage(scope, '/example', 'page');
  mountPage(scope, '/example/shop', 'shop');
}

function mountPage(scope: Scope, path: string, name: string): void {
  const style = part(`./${name}.css`);
  const script = part(`./${name}.js`);
  const page = part(`./${name}.html`)
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`);
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
  scope.get(path, async (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(page),
  );
}
