import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { readEvents } from '../permissions.ts';
import type { DeliveriesPorts } from '../ports.ts';

/** Every type of event that a webhook can get, in order. */
export const listEventTypes = operation(
  {
    ...reads,
    requires: readEvents,
    name: 'service_list_event_types',
    input: z.strictObject({}),
    answer: z.object({ types: z.array(z.string()) }),
    errors: ['insufficient_role'],
  },
  async (scope, _input, { announced }: DeliveriesPorts) => {
    // The role is asked in the database, as of every read.
    await scope.readAll([]);
    return { types: [...announced.keys()].toSorted() };
  },
);
