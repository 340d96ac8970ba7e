import type { Filter } from './filter.ts';

/** Values of a statement that is put together: each answers its placeholder. */
export class Values {
  readonly all: unknown[] = [];
  add(value: unknown): string {
    return `$${this.all.push(value)}`;
  }
}

/**
 * What a row of `audit.event` must fulfil, as SQL over its columns. Times of reception become bounds of the sequence,
 * so that they use the key. The text follows from which filters are given, never from what they say.
 */
export function conditionsOf(tenant: string, filter: Filter, values: Values): string[] {
  const self = values.add(tenant);
  const conditions = [`tenant_id = ${self}`];
  const given = <K extends keyof Filter>(name: K, condition: (value: NonNullable<Filter[K]>) => string): void => {
    const value = filter[name];
    if (value !== undefined) conditions.push(condition(value as NonNullable<Filter[K]>));
  };
  const received = (at: string): string => `(select audit.first_received(${self}, ${values.add(at)}::timestamptz))`;
  given('type', (type) => (isPattern(type) ? `type ~ ${values.add(typeForm(type))}` : `type = ${values.add(type)}`));
  given('grammar', (grammar) => `grammar = ${values.add(grammar)}`);
  given('principal', (principal) => `principals @> ${values.add([principal])}::text[]`);
  given('causalId', (id) => `causal_id = ${values.add(id)}`);
  given('correlationId', (id) => `correlation_id = ${values.add(id)}`);
  given('receivedFrom', (at) => `sequence >= ${received(at)}`);
  given('receivedBefore', (at) => `sequence < ${received(at)}`);
  given('sequenceFrom', (least) => `sequence >= ${values.add(least)}`);
  given('sequenceTo', (most) => `sequence <= ${values.add(most)}`);
  given('occurredFrom', (at) => `occurred_at >= ${values.add(at)}::timestamptz`);
  given('occurredBefore', (at) => `occurred_at < ${values.add(at)}::timestamptz`);
  given('resource', (id) => mentions(id, values));
  return conditions;
}

export const isPattern = (type: string): boolean => type.includes('*');

/** A pattern as a regular expression of PostgreSQL; `filterFields` lets no other character through. */
export const typeForm = (pattern: string): string =>
  `^${pattern
    .split('.')
    .map((part) => (part === '**' ? '.+' : part === '*' ? '[^.]+' : part))
    .join('\\.')}$`;

const string = '"(?:[^"\\\\]|\\\\.)*"';

/**
 * An event whose payload or dimensional tags hold the string `id`, read off the canonical text: no JSON function of
 * PostgreSQL takes \u0000, which payloads may hold. Exact, because quotes inside of strings are escaped there, and
 * because a quote before a letter, digit or underscore is never one that closes a string.
 */
function mentions(id: string, values: Values): string {
  const text = JSON.stringify(id);
  const literal = text.replace(/[ -/:-@[-^`{-~]/g, '\\$&');
  const payload = `,"payload":\\{.*[:\\[,]${literal}[,}\\]].*,"principalChain":\\[`;
  const tags = `^\\{(?:"causalId":${string},)?(?:"correlationId":${string},)?"dimensionalTags":\\{(?:${string}:${string},)*${string}:${literal}[,}]`;
  return `case when strpos(event, ${values.add(text)}) > 0 then event ~ ${values.add(`${payload}|${tags}`)} else false end`;
}

/** The range of a pattern's types in the order of bytes: from the first on, and before the second. */
export function typeRange(pattern: string): readonly [from: string, before: string] {
  const prefix = pattern.slice(0, pattern.indexOf('*'));
  // Types are made of [a-z0-9_.]: `/` follows the point, `~` all of them.
  return [prefix, prefix === '' ? '~' : `${prefix.slice(0, -1)}/`];
}
