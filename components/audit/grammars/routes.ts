import { type Guard, inSnake, type Route, route } from '@steward/contract';
import { z } from 'zod';
import type { Admitted } from '../events/routes.ts';
import { readEvents } from '../policy.ts';
import { sql } from '@steward/sql';
import type { RegisteredGrammar, Registry } from './registry.ts';

const schema = z.record(z.string(), z.unknown());
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const grammars = inSnake(
  z.object({
    items: z.array(
      z.object({
        grammar: z.string(),
        base: z.object({ digest, schema }),
        events: z.array(z.object({ types: z.string(), majorVersion: z.int(), reserved: z.boolean(), digest, schema })),
        reservedTypes: z.array(z.string()),
      }),
    ),
    nextCursor: z.null(),
  }),
);

export function grammarRoutes(guard: Guard<Admitted>, registry: Registry): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/audit/grammars',
      does: { pillar: 'accounting', tier: 'read' },
      summary: 'The registered payload grammars',
      description:
        'A type without its own schema is checked against the base of its grammar. Only the server records reserved types. ' +
        'The server seals a property marked `"x-personal": {"subject": "<JSON pointer into the payload>"}` before it hashes ' +
        'the event, with a key of the subject whose opaque id is at the pointer. Erasing the subject destroys the key.',
      tag: 'Audit',
      guard,
      answers: {
        200: {
          description: 'All grammars',
          schema: grammars.schema,
        },
      },
      handle: async ({ guard: { context } }) => {
        await context.require(readEvents).read(sql`select 1 as admitted`);
        return { status: 200, body: grammars.of({ items: registry.grammars.map(present), nextCursor: null }) };
      },
    }),
  ];
}

const present = ({ name, base, entries, reserved }: RegisteredGrammar) => ({
  grammar: name,
  base: { digest: base.digest, schema: base.schema },
  events: entries.map(({ types, major, reserved, rule }) => ({
    types,
    majorVersion: major,
    reserved,
    digest: rule.digest,
    schema: rule.schema,
  })),
  reservedTypes: reserved,
});
