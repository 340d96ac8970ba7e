import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { documents } from './documents.ts';
import { calling, json, createStallWorld, timeout, type StallWorld } from './world.ts';
import type { Shape } from './hostile.ts';
import { graphOperations, restOperations, toolNames } from './operations.ts';
import type { Sent } from './watch.ts';

// The longest hostile value of each kind for every argument of every tool and field of the graph, all found by enumeration:
// what is added later is in here by itself, and what cannot be filled fails.

describe('no request holds up another one', { timeout }, () => {
  let stall: StallWorld;
  before(async () => {
    stall = await createStallWorld();
  });
  after(async () => stall[Symbol.asyncDispose]());

  test('no list is taken that says no length, since every item that is wrong makes a fault', () => {
    const { tools } = stall;
    const taken = [
      ...tools,
      ...restOperations().flatMap(({ path, bodies: of }) =>
        Object.values(of).map((shape) => [path, { shape }] as const),
      ),
    ];
    assert.deepEqual(
      taken.flatMap(([name, { shape }]) => unbounded(shape, name)),
      [],
    );
  });

  test('whatever the arguments of a tool are', { timeout }, async () => {
    const { tools, bodies, quiet } = stall;
    assert.deepEqual([...tools.keys()].toSorted(), toolNames().toSorted());
    await quiet(
      tools.entries().flatMap(function* ([name, { url, headers, shape }]): Generator<Sent> {
        for (const { what, body } of bodies(shape))
          yield { name, what, method: 'POST', url, headers, body: calling(name, body) };
      }),
    );
  });

  test('whatever an operation of the graph is', { timeout }, async () => {
    const { world, owner, bodies, quiet } = stall;
    const at = { method: 'POST', url: `${world.server.addresses.accounting}/graphql`, headers: { ...owner, ...json } };
    await quiet(
      documents.map((query, index) => ({ ...at, name: `document ${index}`, body: JSON.stringify({ query }) })),
    );
    await quiet(
      graphOperations()
        .values()
        .flatMap(function* ({ name, query, shape }): Generator<Sent> {
          for (const { what, body } of bodies(shape))
            yield { ...at, name, what, body: `{"query":${JSON.stringify(query)},"variables":${body}}` };
        }),
    );
  });

  const unbounded = (shape: Shape, place: string): string[] => [
    ...(shape.items !== undefined && shape.maxItems === undefined ? [place] : []),
    ...[shape.items ?? [], shape.anyOf ?? [], shape.oneOf ?? []]
      .flat()
      .flatMap((one) => unbounded(one as Shape, place)),
    ...Object.entries(shape.properties ?? {}).flatMap(([name, one]) => unbounded(one, `${place}/${name}`)),
    ...(typeof shape.additionalProperties === 'object' ? unbounded(shape.additionalProperties, `${place}/*`) : []),
  ];
});
