import { operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import type { ChannelPorts } from '../ports.ts';

/** At which marketplaces shops can be connected, and where the app is installed in one; none where the server has no connector. */
export const listMarketplaces = operation(
  {
    ...reads,
    name: '',
    input: z.strictObject({}),
    answer: z.object({
      items: z.array(
        z.object({
          provider: z.string(),
          /** For a browser, with `shop` and `tenant` in its query. */
          installUrl: z.url(),
        }),
      ),
    }),
  },
  async (scope, _input, { installUrl }: ChannelPorts) => {
    // What there is to connect is told to members alone.
    await scope.read(sql`select`);
    return { items: installUrl === undefined ? [] : [{ provider: 'shopify', installUrl }] };
  },
);
