import { type Guard, type Route, route } from '@steward/contract';
import { z } from 'zod';
import type { Admitted } from '../events/routes.ts';
import { readEvents } from '../policy.ts';
import { sql } from '@steward/sql';
import type { RegisteredGrammar, Registry } from './registry.ts';

const schema = z.record(z.string(), z.unknown());
const digest = z.string().regex(/^[0-9a-f]{64}$/);

export function grammarRoutes(guard: Guard<Admitted>, registry: Registry): Route[] {
  const items = registry.grammars.map(present);
  return [
    route({
      method: 'GET',
      path: '/api/audit/grammars',
      does: { pillar: 'accounting', tier: 'read' },
      summary: 'The registered payload grammars',
      description:
        'Types without a schema of their own are held to the base of their grammar. Reserved types are recorded by ' +
        'the platform alone. A property marked `"x-personal": {"subject": "<JSON pointer into the payload>"}` is sealed ' +
        'before the event is hashed, with a key of the subject whose opaque id stands at the pointer; erasing the ' +
        'subject destroys the key.',
      tag: 'Audit',
      guard,
      answers: {
        200: {
          description: 'All grammars',
          schema: z.object({
            items: z.array(
              z.object({
                grammar: z.string(),
                base: z.object({ digest, schema }),
                events: z.array(
                  z.object({ types: z.string(), major_version: z.int(), reserved: z.boolean(), digest, schema }),
                ),
                reserved_types: z.array(z.string()),
              }),
            ),
            next_cursor: z.null(),
          }),
        },
      },
      handle: async ({ guard: { context } }) => {
        await context.require(readEvents).read(sql`select 1 as admitted`);
        return { status: 200, body: { items, next_cursor: null } };
      },
    }),
  ];
}

const present = ({ name, base, entries, reserved }: RegisteredGrammar) => ({
  grammar: name,
  base: { digest: base.digest, schema: base.schema },
  events: entries.map(({ types, major, reserved, rule }) => ({
    types,
    major_version: major,
    reserved,
    digest: rule.digest,
    schema: rule.schema,
  })),
  reserved_types: reserved,
});
