import { isLoopback } from '@steward/kernel';
import type { FieldError } from '@steward/kernel';

export const mostOrigins = 50;
export const longestOrigin = 255;

/** Scheme, host and port and nothing else. Checked before parsing, because URL removes tabs and takes `\` for `/`. */
const shape = /^(https?):\/\/([^\s/\\?#@*%]+)\/?$/i;

/** As URL writes it: names of letters, digits, - and _ between single dots, or an IPv6 address. */
const host = /^(?:(?:[a-z0-9_-]+\.)*[a-z0-9_-]+|\[[0-9a-f:.]+\])$/;

/**
 * A web origin in the one spelling browsers send: lower case, punycode, no default port. `https`, or `http` on this
 * machine only. Undefined for anything else: a path, user, query, wildcard or `null`.
 */
export function normalOrigin(text: string): string | undefined {
  if (text.length > longestOrigin || !shape.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || !host.test(url.hostname)) return undefined;
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) return undefined;
  return url.origin;
}

/** Every origin once, in the order given; or what is wrong with which of them. */
export function readOrigins(given: readonly string[], pointer: string): { origins: string[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const origins = new Set<string>();
  given.forEach((text, index) => {
    const origin = normalOrigin(text);
    if (origin === undefined) {
      errors.push({
        pointer: `${pointer}/${index}`,
        code: 'invalid_origin',
        detail:
          'Give only scheme, host and port, such as https://shop.example.com: https, or http for localhost; no path, user or ' +
          'wildcard.',
      });
    } else origins.add(origin);
  });
  return { origins: [...origins], errors };
}
