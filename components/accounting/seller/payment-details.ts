import type { TenantScope } from '@steward/sql';
import { selectSeller, sellerOf } from './seller.ts';

/** Where buyers pay to, a line each; null where the seller says nothing of it. */
export const paymentDetails = async ({
  context,
  read,
}: Pick<TenantScope, 'context' | 'read'>): Promise<string | null> =>
  sellerOf((await read(selectSeller(context.tenant)))[0]).paymentDetails;
