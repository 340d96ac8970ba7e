import { operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import type { ConnectionPorts } from '../deps.ts';
import { reads } from '../operations.ts';
import { secretsOf, settingsOf } from './shown.ts';

const words = z.record(z.string(), z.string());

/** What accounts can be connected for, at which providers, and what each needs. */
export const listProviders = operation(
  {
    ...reads,
    name: 'service_list_providers',
    input: z.strictObject({}),
    answer: z.object({
      items: z.array(
        z.object({
          receiver: z.string(),
          does: z.string(),
          provider: z.string(),
          /** By name, what a person gives. */
          secrets: words,
          /** By name, what is given with the connection or with its secrets. */
          settings: words,
        }),
      ),
    }),
  },
  async (scope, _input, { receivers }: ConnectionPorts) => {
    // What there is to connect is told to members alone.
    await scope.read(sql`select`);
    return {
      items: receivers()
        .filter(({ connectable }) => connectable)
        .flatMap((receiver) =>
          receiver.adapters.map(({ name: provider }) => ({
            receiver: receiver.name,
            does: receiver.summary,
            provider,
            secrets: secretsOf(receiver, provider),
            settings: settingsOf(receiver, provider),
          })),
        ),
    };
  },
);
