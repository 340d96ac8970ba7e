import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Reply } from '@steward/kernel';

export interface Playground {
  send(reply: Reply): Reply;
}

const part = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A page of our own to try operations in. It loads nothing from anywhere, and its policy lets it talk to us only. */
export function createPlayground(): Playground {
  const style = part('./page.css');
  const script = part('./page.js');
  const html = part('./page.html')
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`);
  const policy = [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    send: (reply) =>
      reply
        .header('content-security-policy', policy)
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(html),
  };
}
