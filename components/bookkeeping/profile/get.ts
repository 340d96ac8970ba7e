import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { keptOf, postingProfile, selectProfile, shownProfile } from './profile.ts';

export const getPostingProfile = operation(
  { ...reads, name: 'service_get_posting_profile', input: z.strictObject({}), answer: postingProfile },
  async (scope) => {
    const { context } = scope;
    const [row] = await scope.read(selectProfile(context.tenant));
    return shownProfile({ context, query: scope.read }, keptOf(row));
  },
);
