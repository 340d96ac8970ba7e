import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { selectSeller, seller, sellerOf } from './seller.ts';

export const getSeller = operation(
  { ...reads, area: 'books', name: 'service_get_seller', input: z.strictObject({}), answer: seller.answer },
  async (scope) => sellerOf((await scope.read(selectSeller(scope.context.tenant)))[0]),
);
