import { operation } from '@steward/access';
import { parseAmount } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import { z } from 'zod';
import { announcement, event } from '../events.ts';
import { activeParty } from '../parties/party.ts';
import { contentOf } from '../contents.ts';
import { booksFail } from '../errors.ts';
import type { Line } from '../journal/pair.ts';
import { post } from '../journal/post.ts';
import { decides } from '../operations.ts';
import type { SellerPorts } from '../seller/seller.ts';
import { baseOn, controlAccount, controlAccounts, debited } from '../subledger/control.ts';
import { nextNumber } from '../subledger/number.ts';
import { booked, shown } from '../subledger/shown.ts';
import { document, type Document, documentIn } from './document.ts';
import { documentId, seenVersion } from './input.ts';
import { natures, numberOf } from './kind.ts';
import { lockDocument, requireDraft } from './lock.ts';

/**
 * Issues a draft: it gets its number, is posted on its issue date at that day's rate, and becomes an open item of the sub-ledger.
 * @throws Problem `not_found` (404), `not_a_draft`, `stale_document`, `party_archived`, `period_closed` (409),
 *   `nothing_to_issue`, `rate_missing`, `account_unusable` (422)
 */
export const issueDocument = operation(
  {
    ...decides,
    area: 'sales',
    name: 'service_issue_document',
    input: z.strictObject({ id: documentId, version: seenVersion }),
    answer: booked.extend({ document: document.answer }),
    // What the draft says is mended in the draft.
    errors: {
      not_found: null,
      not_a_draft: 'id',
      stale_document: 'version',
      party_archived: 'id',
      period_closed: 'id',
      nothing_to_issue: 'id',
      rate_missing: 'id',
      account_unusable: 'id',
      control_account: 'id',
      unbalanced_entry: 'id',
      amount_too_large: 'id',
    },
  },
  async (scope, { id, version }, { organizationName }: SellerPorts) =>
    scope.write(async (tx) => {
      const draft = await lockDocument(tx, id, version);
      requireDraft(draft);
      const total = minor(draft.total.amount, draft.currency);
      if (total <= 0n)
        throw booksFail(
          'nothing_to_issue',
          'The total must be above zero: to give money back, create a credit note or supplier credit.',
        );
      await activeParty(tx, draft.partyId);
      const { side, title } = natures[draft.kind];
      const control = controlAccount(await controlAccounts(tx), side);
      const sequence = await nextNumber(tx, draft.kind);
      const number = numberOf(draft.kind, sequence);
      const posted = await post(tx, {
        date: draft.issueDate,
        currency: draft.currency,
        narration: `${title} ${number}`,
        kind: draft.kind,
        sourceId: id,
        lines: await linesOf(tx, draft, control, total),
      });
      const base = absolute(baseOn(posted, control));
      const seller = side === 'receivable' ? await organizationName(within(tx.context, tx)) : null;
      // Opens the document's item with it, and holds who sells and buys.
      await tx.query(sql`
      update accounting.document d set status = 'issued', version = version + 1, number = ${sequence}::bigint, rate = e.rate,
        base_total = ${base}::bigint, entry_id = e.entry_id, issued_at = clock_timestamp(), seller_name = ${seller}
      from accounting.entry e
      where d.tenant_id = ${tx.context.tenant}::uuid and d.document_id = ${id}::uuid
        and e.tenant_id = d.tenant_id and e.entry_id = ${posted.id}::uuid`);
      const facts = {
        document_id: id,
        kind: draft.kind,
        number,
        party_id: draft.partyId,
        amount: draft.total.amount,
        currency: draft.currency,
        entry_id: posted.id,
      };
      tx.record(event('accounting.document.issued', { ...facts, content_sha256: await contentOf(tx, 'document', id) }));
      tx.publish(announcement('accounting.document.issued', facts, { subject: id }));
      return { document: await documentIn(tx, id), ...(await shown(tx, [posted.id])) };
    }),
);

/** The control account against what was sold or bought, and the tax on it. Invoices and supplier's credits credit the lines. */
async function linesOf(tx: TenantTransaction, draft: Document, control: string, total: bigint): Promise<Line[]> {
  const { currency } = draft;
  const sale = natures[draft.kind].side === 'receivable';
  const sign = sale === (natures[draft.kind].nature === 'charge') ? 1n : -1n;
  const taxes = await tx.query<{ tax_id: string; name: string; sales: string; purchases: string | null }>(sql`
    select tax_id, name, sales_account_id as sales, purchase_account_id as purchases from accounting.tax
    where tenant_id = ${tx.context.tenant}::uuid and tax_id = any (${draft.taxes.map(({ taxId }) => taxId)}::uuid[])`);
  const accountOf = new Map(taxes.map((tax) => [tax.tax_id, sale ? tax.sales : tax.purchases]));
  const own = draft.lines.flatMap((line) => {
    const net = minor(line.net.amount, currency);
    const cost = line.taxId === null || accountOf.get(line.taxId) !== null ? 0n : minor(line.tax.amount, currency);
    return debited(line.accountId, -sign * (net + cost), line.description.slice(0, 500));
  });
  const tax = draft.taxes.flatMap((one) => {
    const account = accountOf.get(one.taxId) ?? null;
    return account === null ? [] : debited(account, -sign * minor(one.tax.amount, currency), one.name);
  });
  return [...debited(control, sign * total), ...own, ...tax];
}

const minor = (amount: string, currency: string): bigint => parseAmount(amount, currency) ?? 0n;
const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
