import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Scope } from '@steward/kernel';

const part = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * A page of a storefront to try a form in, at `/example?form=…&key=…`. It is the same for everybody and reads its address in the
 * browser; it calls nobody but this storefront, whatever the address says.
 */
export function mountExample(scope: Scope): void {
  const style = part('./page.css');
  const script = part('./page.js');
  const page = part('./page.html')
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  scope.get('/example', async (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(page),
  );
}
