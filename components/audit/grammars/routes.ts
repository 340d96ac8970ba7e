import { operation, restOf } from '@steward/access';
import { type Guard, inSnake, type Route } from '@steward/contract';
import { sql } from '@steward/sql';
import { z } from 'zod';
import type { Admitted } from '../events/routes.ts';
import { reading, reads } from '../operations.ts';
import type { RegisteredGrammar, Registry } from './registry.ts';

const schema = z.record(z.string(), z.unknown());
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const listGrammars = operation(
  {
    ...reads,
    input: z.strictObject({}),
    answer: z.object({
      items: z.array(
        z.object({
          grammar: z.string(),
          base: z.object({ digest, schema }),
          events: z.array(
            z.object({ types: z.string(), majorVersion: z.int(), reserved: z.boolean(), digest, schema }),
          ),
          reservedTypes: z.array(z.string()),
        }),
      ),
      nextCursor: z.null(),
    }),
  },
  async (scope, _input, { grammars }: Pick<Registry, 'grammars'>) => {
    await scope.read(sql`select 1 as admitted`);
    return { items: grammars.map(present), nextCursor: null };
  },
);

export const grammarRoutes = (guard: Guard<Admitted>, registry: Registry): Route[] => [
  restOf({ guard, tag: 'Audit', ports: registry })('GET', '/api/audit/grammars', listGrammars, {
    summary: 'The registered payload grammars',
    description:
      'A type without its own schema is checked against the base of its grammar. Only the server records reserved types. ' +
      'The server seals a property marked `"x-personal": {"subject": "<JSON pointer into the payload>"}` before it hashes ' +
      'the event, with a key of the subject whose opaque id is at the pointer. Erasing the subject destroys the key.',
    does: reading,
    answers: { 200: 'All grammars' },
    shows: inSnake(listGrammars.answer),
  }),
];

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
