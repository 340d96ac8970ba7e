import canonicalize from 'canonicalize';

/**
 * RFC 8785 text of a JSON value.
 * @throws Error for what has no canonical form: lone surrogates, NaN, Infinity
 */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('only JSON values have a canonical form');
  return text;
}
