import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { catalogue } from '../fixtures/catalogue.ts';
import { compileCatalogue } from './catalogue.ts';
import type { Tool } from './tool.ts';

const [first] = catalogue;
const like = (changes: Partial<Tool>): Tool => ({ ...(first as Tool), ...changes });
const refuses = (tools: readonly Tool[], about: RegExp): void => {
  assert.throws(
    () => compileCatalogue(tools, []),
    (error: unknown) => error instanceof TypeError && about.test(error.message),
  );
};

test('a tool that clients could not use is refused at the start', () => {
  for (const name of [
    'list_things',
    'service_',
    'service_List_things',
    'service_list-things',
    `service_list_${'x'.repeat(60)}`,
  ]) {
    refuses([like({ name })], /name tools/);
  }
  refuses([like({}), like({})], /two tools/);
  refuses([like({ input: z.object({ tenant_id: z.string() }) })], /added by kind/);
  refuses([like({ kind: 'command', tier: 'write', input: z.object({ preview: z.boolean() }) })], /added by kind/);
  refuses([like({ tier: 'write' })], /tier read/);
});

test('an annotation that clients would drop the tool for is refused at the start', () => {
  const mirrored = (input: Tool['input'], about: RegExp): void => refuses([like({ input })], about);
  const header = (name: string) => ({ 'x-mcp-header': name });
  mirrored(z.object({ a: z.array(z.string().meta(header('A'))) }), /no plain property/);
  mirrored(z.object({ a: z.union([z.object({ b: z.string().meta(header('A')) }), z.null()]) }), /no plain property/);
  mirrored(z.object({ a: z.number().meta(header('A')) }), /string, integer or boolean/);
  mirrored(z.object({ a: z.string().meta(header('not a token')) }), /token/);
  mirrored(z.object({ a: z.string().meta(header('')) }), /token/);
  mirrored(z.object({ a: z.string().meta(header('Same')), b: z.string().meta(header('same')) }), /repeats/);
});

test('no address may list more than clients keep', () => {
  const many = (count: number, changes: Partial<Tool>): Tool[] =>
    Array.from({ length: count }, (_, index) => like({ name: `service_list_thing_${index}`, ...changes }));
  assert.equal(compileCatalogue(many(60, {}), []).length, 60);
  refuses(many(61, {}), /core lists 61/);
  refuses(many(61, { core: false }), /accounting lists 61/);
  refuses(
    [...many(60, { core: false }), like({ name: 'service_get_news', pillar: 'portal', everywhere: true })],
    /lists 61/,
  );
  assert.equal(compileCatalogue(many(61, { core: false, surfaces: ['internal'] }), []).length, 61);
});

test('the order of tools does not depend on the order they were given in', () => {
  const names = (tools: readonly Tool[]) => compileCatalogue(tools, []).map(({ name }) => name);
  assert.deepEqual(names(catalogue), names(catalogue.toReversed()));
});
