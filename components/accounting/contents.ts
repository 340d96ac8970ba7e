import { statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';

/**
 * The parts of a row that its event does not say in words, as the digest in the event: `tenant_id`, `key` and `digest`. Verification makes the same
 * from the rows, with these texts and without any function of the database.
 */
export const contents = {
  /** All accounts of the books, by the tenant. */
  chart: `select tenant_id, tenant_id as key, ${digestOf(`'chart/v1', jsonb_agg(jsonb_build_array(account_id, code, name, type, control, activity,
      currency, archived_at) order by account_id)`)} as digest
    from accounting.account group by tenant_id`,
  party: `select tenant_id, party_id as key, ${digestOf(`case when num_nonnulls(address, vat_number) = 0 then to_jsonb('party/v1'::text)
      else jsonb_build_array('party/v2', address, vat_number) end, salt, name, email, customer, supplier, currency, terms_days, tax_id_last4,
      contact_id, archived_at is not null, erased_at is not null`)} as digest
    from accounting.party`,
  /** Of suppliers who were not erased, since that empties what is kept of them. */
  taxpayer: `select t.tenant_id, t.party_id as key, ${digestOf(`'taxpayer/v1', p.salt, t.status, t.status_on, t.legal_name, t.classification,
      t.tin_kind, encode(t.tin_sealed, 'base64'), t.tin_last4, t.eligible, t.box`)} as digest
    from accounting.taxpayer t join accounting.party p on p.tenant_id = t.tenant_id and p.party_id = t.party_id
    where p.erased_at is null`,
  /** One of the books, by the tenant. */
  seller: `select tenant_id, tenant_id as key, ${digestOf(`case when language is not null then jsonb_build_array('seller/v3', payment_details, language)
      when payment_details is null then to_jsonb('seller/v1'::text) else jsonb_build_array('seller/v2', payment_details) end, name, address, vat_number, registration`)} as digest from accounting.seller`,
  tax: `select tenant_id, tax_id as key, ${digestOf(`'tax/v1', name, percentage, sales_account_id, purchase_account_id`)} as digest
    from accounting.tax`,
  document: `select d.tenant_id, d.document_id as key, ${digestOf(`case when num_nonnulls(d.seller_name, d.seller_address, d.seller_vat_number,
      d.seller_registration, d.seller_payment_details, d.seller_language, d.buyer_name, d.buyer_address, d.buyer_vat_number) = 0 then to_jsonb('document/v1'::text)
      else case when d.seller_payment_details is null then '[]' else jsonb_build_array('document/v3', d.seller_payment_details) end
        || case when d.seller_language is null then '[]' else jsonb_build_array('document/v4', d.seller_language) end
        || jsonb_build_array('document/v2', d.seller_name, d.seller_address, d.seller_vat_number, d.seller_registration, d.buyer_name,
        d.buyer_address, d.buyer_vat_number) end, d.issue_date, d.due_date, d.pricing, d.supplier_number,
      d.reference, d.notes, d.credits, d.net, d.tax, jsonb_agg(jsonb_build_array(l.description, l.quantity, l.unit_price, l.account_id,
      l.tax_id, l.percentage, l.net, l.tax) order by l.line)`)} as digest
    from accounting.document d join accounting.document_line l on l.tenant_id = d.tenant_id and l.document_id = d.document_id
    where d.entry_id is not null group by d.tenant_id, d.document_id`,
  payment: `select tenant_id, payment_id as key, ${digestOf(`'payment/v1', reference, method`)} as digest from accounting.payment`,
  allocation: `select tenant_id, allocation_id as key, ${digestOf(`'allocation/v1', credit_base, charge_base`)} as digest
    from accounting.allocation`,
  revaluation: `select r.tenant_id, r.revaluation_id as key, ${digestOf(`'revaluation/v1',
      jsonb_agg(jsonb_build_array(i.item_id, i.difference) order by i.item_id)`)} as digest
    from accounting.revaluation r left join accounting.revaluation_item i on i.tenant_id = r.tenant_id and i.revaluation_id = r.revaluation_id
    group by r.tenant_id, r.revaluation_id`,
  statement: `select s.tenant_id, s.statement_id as key, ${digestOf(`'statement/v1', s.currency, s.opening, s.closing,
      jsonb_agg(jsonb_build_array(l.line_id, l.account_id, l.day, l.amount, l.description, l.counterparty, l.reference, l.bank_id)
      order by l.line_id)`)} as digest
    from accounting.bank_statement s left join accounting.bank_line l on l.tenant_id = s.tenant_id and l.statement_id = s.statement_id
    group by s.tenant_id, s.statement_id`,
  reconciliation: `select tenant_id, reconciliation_id as key, ${digestOf(`'reconciliation/v1', from_day, opening`)} as digest
    from accounting.reconciliation`,
  attachment: `select tenant_id, attachment_id as key, ${digestOf(`'attachment/v1', salt, file_name, media_type`)} as digest
    from accounting.attachment`,
} as const;

/** The digest of one row, in the transaction that wrote it: for its event. */
export async function contentOf(tx: TenantTransaction, of: keyof typeof contents, id: string): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${contents[of]}) c where c.tenant_id = $1::uuid and c.key = $2::uuid`, [
      tx.context.tenant,
      id,
    ]),
  );
  return row?.digest ?? '';
}
