import type { TenantTransaction } from '@steward/sql';
import type { DocumentLanguage } from '../documents/words.ts';
import { selectSeller, sellerOf } from './seller.ts';

/** In which language invoices and credit notes of the seller are written. */
export const languageOfSeller = async ({
  context,
  query,
}: Pick<TenantTransaction, 'context' | 'query'>): Promise<DocumentLanguage> =>
  sellerOf((await query(selectSeller(context.tenant)))[0]).language;
