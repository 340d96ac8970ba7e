import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createWorld, sample, type Json, type Schema, type World } from '../world/index.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly security?: readonly unknown[];
}

const { paths } = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

/** Whether a schema forbids what `bad` is. */
const bad = '!';
const forbids = ({ format, pattern, enum: choices, anyOf, minLength = 0, ...one }: Parameter['schema']): boolean =>
  format !== undefined ||
  choices !== undefined ||
  minLength > bad.length ||
  (pattern !== undefined && !new RegExp(pattern, 'u').test(bad)) ||
  (anyOf !== undefined && anyOf.every((inner) => inner.type === 'null' || forbids(inner))) ||
  ['integer', 'boolean'].includes(String(one.type));

const stranger: Parameter = { name: 'nobody_asked', in: 'query', schema: { type: 'string' } };

/** A request with one bad value, or with a parameter that there is not; all else that a route asks for accompanies it. */
const requests = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [], requestBody, security }]) =>
    // Storefront routes and signup have callers and answers of their own.
    security?.length === 0 || path.includes('/external-agent/')
      ? []
      : [...parameters.filter((one) => (one.in === 'path' || one.in === 'query') && forbids(one.schema)), stranger].map(
          (wrong) => {
            const value = (one: Parameter): string => {
              if (one === wrong) return bad;
              // Numbers in a path are texts of digits.
              const number = one.in === 'path' && one.schema.format === undefined && one.schema.enum === undefined;
              return number ? '1' : String(sample(one.schema));
            };
            const at = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
              encodeURIComponent(value(parameters.find((one) => one.in === 'path' && one.name === name) as Parameter)),
            );
            const asked = [...parameters, stranger].filter(
              (one) => one === wrong || (one.in === 'query' && one.required === true),
            );
            const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
            return {
              name: `${method.toUpperCase()} ${path} ${wrong.in} ${wrong.name}`,
              method: method.toUpperCase(),
              url: `${at}?${new URLSearchParams(asked.filter((one) => one.in === 'query').map((one) => [one.name, value(one)])).toString()}`,
              pointer: wrong.in === 'path' ? `{${wrong.name}}` : `?${wrong.name}`,
              type,
              body:
                type === undefined
                  ? undefined
                  : type === 'application/json'
                    ? JSON.stringify(sample(body?.schema ?? {}))
                    : 'x',
            };
          },
        ),
  ),
);

describe('what is wrong in an address', () => {
  let world: World;
  let headers: Record<string, string>;

  before(async () => {
    world = await createWorld();
    const { tenant } = await world.signUp('owner@example.com');
    const token = await world.token({ user: 'owner@example.com', approver: true });
    headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant };
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is told of the parameter as OpenAPI writes it: {name} of the path, ?name of the query', async () => {
    const { origin } = new URL(world.server.addresses.portal);
    const paths = requests.filter(({ pointer }) => pointer.startsWith('{')).length;
    assert.ok(paths > 30 && requests.length - paths > 60, 'they were found');
    const others: string[] = [];
    for (const { name, method, url, pointer, type, body } of requests) {
      const answer = await fetch(`${origin}${url}`, {
        method,
        headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body }),
      });
      const { code, detail, errors = [] } = (await answer.json()) as Json & { errors?: readonly { pointer: string }[] };
      const found = errors.map((one) => one.pointer);
      if (answer.status !== 400 || !found.includes(pointer) || !String(detail).includes(`${pointer}:`))
        others.push(`${name}: ${answer.status} ${String(code)} ${found.join(' ')} ${String(detail)}`);
    }
    assert.deepEqual(others, []);
  });
});
