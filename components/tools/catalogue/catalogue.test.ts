import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { catalogue } from '../fixtures/catalogue.ts';
import { createCatalogue } from './catalogue.ts';
import { tool, type Call, type Tool } from './tool.ts';

const [first] = catalogue;
const like = (changes: Partial<Tool>): Tool => ({ ...(first as Tool), ...changes });
const refuses = (tools: readonly Tool[], about: RegExp): void => {
  assert.throws(
    () => createCatalogue(tools),
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
  assert.equal(createCatalogue(many(60, {})).compiled.length, 60);
  refuses(many(61, {}), /core lists 61/);
  refuses(many(61, { core: false }), /accounting lists 61/);
  refuses(
    [...many(60, { core: false }), like({ name: 'service_get_news', pillar: 'portal', everywhere: true })],
    /lists 61/,
  );
  assert.equal(createCatalogue(many(61, { core: false, surfaces: ['internal'] })).compiled.length, 61);
});

test('the order of tools does not depend on the order they were given in', () => {
  const names = (tools: readonly Tool[]) => createCatalogue(tools).compiled.map(({ name }) => name);
  assert.deepEqual(names(catalogue), names(catalogue.toReversed()));
});

test('a tool runs with what its component said, and whoever says nothing is told before anybody calls', () => {
  const asked: unknown[] = [];
  const given = tool<z.ZodObject, 'query', { answer: number }>({
    ...like({ name: 'service_ask_deep_thought' }),
    kind: 'query',
    run: async (_call, _args, ports) => {
      asked.push(ports.answer);
      return { summary: 'Thought.' };
    },
  });
  const made = createCatalogue([...catalogue, given as Tool]);
  assert.throws(() => made.requireBound(), /service_ask_deep_thought: nobody has said what it runs with/);
  made.bind([given], { answer: 42 });
  made.requireBound();
  void made.compiled.find(({ name }) => name === given.name)?.run({} as Call, {});
  assert.deepEqual(asked, [42]);
});
