import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { getPostingProfile } from './get.ts';
import { updatePostingProfile } from './update.ts';

const answers = { 200: 'The posting profile.' };

export function profileRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Orders in the books' });
  return [
    rest('GET', '/api/posting-profile', getPostingProfile, { summary: 'Read the posting profile', answers }),
    rest('PATCH', '/api/posting-profile', updatePostingProfile, {
      summary: 'Change the posting profile',
      description: 'Members that are not given stay as they are.',
      answers,
    }),
  ];
}
