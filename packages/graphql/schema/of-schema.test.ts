import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, count, flag, id, moment, moneyShape, nullable, shape, text, texts } from '@steward/contract';
import { z } from 'zod';
import { printSchema } from 'graphql';
import { buildSchema } from './build.ts';
import type { GraphModule } from './builder.ts';
import { doing } from './effect.ts';
import { enumOf, inputOf, objectOf, taking } from './of-schema.ts';

const state = z.enum(['open', 'closed']);
const crate = z.object({ label: z.string(), weight: z.int().nullable() });
const parcel = shape('p', {
  id: id('p.parcel_id'),
  number: nullable(text()),
  sender: nullable(id()),
  sealed: flag(),
  version: count(),
  value: amount(),
  marks: texts(),
  sentAt: moment(),
  secret: text(),
});
const answer = parcel.answer.extend({ state: state.meta({ description: 'Said to others.' }), crates: z.array(crate) });

const types: GraphModule = (builder) => {
  objectOf(builder, 'Money', moneyShape);
  enumOf(builder, 'ParcelState', state);
  objectOf(builder, 'Crate', crate);
  const type = objectOf(builder, 'Parcel', answer, {
    description: 'What is sent.',
    members: { number: 'On its label.', version: { type: 'String' } },
    without: ['secret'],
    fields: (t) => ({ labels: t.stringList({ resolve: ({ crates }) => crates.map(({ label }) => label) }) }),
  });
  assert.equal(objectOf(builder, 'Parcel', answer), type, 'the one type of a schema, whoever asks');
  const given = z.strictObject({
    sender: z.uuid().nullable().optional(),
    state: state.default('open'),
    crates: z.array(crate.partial({ weight: true })).min(1),
    hold: z.boolean().optional(),
  });
  inputOf(builder, 'CrateInput', given.shape.crates.element);
  inputOf(builder, 'ParcelInput', given, { members: { hold: 'Until it is fetched.' } });
  builder.queryFields((t) => ({
    parcels: t.stringList({
      extensions: doing('service_list_parcels' as never),
      ...taking(
        builder,
        z.strictObject({ limit: z.int().default(50), sealed: z.boolean().optional(), input: given }),
        ({ limit, sealed, input: { crates } }) => [...crates.map(({ label }) => label), `${limit} ${sealed}`],
      ),
    }),
    parcel: t.field({
      type,
      nullable: true,
      extensions: doing('service_get_parcel' as never),
      resolve: () => null,
    }),
  }));
};

test('types, inputs and arguments of the graph follow from the schemas of a noun', () => {
  const sdl = printSchema(buildSchema([types]));
  for (const part of [
    `"""What is sent."""
type Parcel {
  crates: [Crate!]!
  id: ID!
  labels: [String!]!
  marks: [String!]!

  """On its label."""
  number: String
  sealed: Boolean!
  sender: ID
  sentAt: DateTime!
  state: ParcelState!
  value: Money!
  version: String!
}`,
    `type Crate {
  label: String!
  weight: Int
}`,
    `input CrateInput {
  label: String!
  weight: Int
}`,
    `input ParcelInput {
  crates: [CrateInput!]!

  """Until it is fetched."""
  hold: Boolean
  sender: ID
  state: ParcelState = open
}`,
    'parcels(input: ParcelInput!, limit: Int = 50, sealed: Boolean): [String!]!',
  ])
    assert.ok(sdl.includes(part), `${part}\n\nis not in\n\n${sdl}`);
});

test('a schema in another whose type the graph does not have yet is refused by name', () => {
  const early: GraphModule = (builder) => {
    const type = objectOf(builder, 'Parcel', answer);
    builder.queryFields((t) => ({ parcel: t.field({ type, nullable: true, resolve: () => null }) }));
  };
  assert.throws(() => buildSchema([early]), /value: the graph has no output type of its schema \(object\) yet/);
});
