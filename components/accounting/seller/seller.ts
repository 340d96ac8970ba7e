import { field, nullable, type Of, shape, text } from '@steward/contract';
import { statement, type Statement, type TenantContext } from '@steward/sql';
import { documentLanguage } from '../documents/words.ts';

/** Who sells, on every invoice. Of `accounting.seller` named `t`. */
export const seller = shape('t', {
  /** Null: the name of the organization. */
  name: nullable(text()),
  /** As it is printed, a line each. */
  address: nullable(text()),
  vatNumber: nullable(text()),
  /** Of the company: its number, and the register or court. */
  registration: nullable(text()),
  /** Where buyers pay to, such as an IBAN, a line each. */
  paymentDetails: nullable(text()),
  /** In which invoices and credit notes are written. */
  language: field(documentLanguage, `coalesce(t.language, 'en')`),
});
export type Seller = Of<typeof seller>;

export interface SellerPorts {
  /** The name at the head of an invoice where the seller has none. */
  readonly organizationName: (context: TenantContext) => Promise<string>;
}

export const selectSeller = (tenant: string): Statement =>
  statement(`select ${seller.columns} from accounting.seller t where t.tenant_id = $1::uuid`, [tenant]);

/** Without a row nothing was said yet. */
export const sellerOf = (row: Parameters<typeof seller.read>[0] | undefined): Seller =>
  seller.read(row ?? { language: 'en' });
