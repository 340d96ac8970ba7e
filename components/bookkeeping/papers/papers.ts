import {
  createDocument,
  type Document,
  documentWords,
  getDocument,
  inTurn,
  isUnexplained,
  languageOfSeller,
  renderPdf,
} from '@steward/accounting';
import { parseAmount, Problem } from '@steward/kernel';
import type { Order, Paper } from '@steward/orders';
import type { TenantContext } from '@steward/sql';
import { rehearsal, within } from '@steward/tools';
import { carryPostings } from '../permissions.ts';
import type { BookPorts } from '../ports.ts';
import { customerFor } from '../postings/customer.ts';
import { documentOf } from '../postings/document.ts';
import { invoiceOf, saleOf } from '../postings/invoice.ts';
import { posting, selectPostings } from '../postings/posting.ts';
import { keptOf, selectProfile, shownProfile } from '../profile/profile.ts';

/**
 * What is issued for an order, the oldest first: invoices and credit notes, no drafts. A test owes the books nothing, so it has a preview of its invoice,
 * which is called by the order's id.
 */
export async function papersOf(context: TenantContext, order: Order): Promise<readonly Paper[]> {
  if (order.mode === 'test') return [{ id: order.id, kind: 'invoice', number: null }];
  return (await issuedFor(context, order)).map(({ id, kind, number }) => ({
    id,
    kind: kind === 'credit_note' ? kind : 'invoice',
    number,
  }));
}

/** Whether something was paid or credited of what is issued for an order, or a bank line that nobody explained yet may pay for it. */
export async function mayBePaid(context: TenantContext, order: Order): Promise<boolean> {
  if (order.mode === 'test') return false;
  const issued = await issuedFor(context, order);
  if (issued.some(({ open, total }) => open?.amount !== total.amount)) return true;
  const { currency, total, number, placedAt } = order;
  return isUnexplained(context, {
    amount: parseAmount(total.amount, currency) ?? 0n,
    currency,
    numbers: [number, ...issued.flatMap((one) => one.number ?? [])],
    since: placedAt,
  });
}

/**
 * One of them as PDF; undefined for any other id.
 * @param left aborted once nobody waits for it
 * @throws Problem `rate_limited` (429), `pdf_too_long` (422)
 */
export async function drawPaper(
  context: TenantContext,
  order: Order,
  id: string,
  left: AbortSignal,
  ports: BookPorts,
): Promise<{ readonly name: string; readonly bytes: Buffer } | undefined> {
  // Buyers have places of their own: those with one link take none of the organization's.
  return inTurn(`buyers of ${context.tenant}`, left, async () => {
    const document =
      order.mode === 'test'
        ? id === order.id && (await previewOf(context, order, ports))
        : (await issuedFor(context, order)).find((one) => one.id === id);
    if (!document) return undefined;
    const seller = document.seller?.name ?? (await ports.organizationName(context));
    const bytes = await renderPdf({ document, seller }, left);
    return { name: document.number ?? order.number, bytes };
  });
}

async function issuedFor(context: TenantContext, { id }: Order): Promise<Document[]> {
  const rows = await context
    .require(carryPostings)
    .read(
      selectPostings(
        `p.order_id = $2::uuid and p.state = 'posted' and p.document_id is not null order by p.posting_id`,
        context.tenant,
        id,
      ),
    );
  const all = await Promise.all(rows.map(async (row) => documentOf(context, posting.read(row))));
  return all.filter((one) => one !== undefined && (one.status === 'issued' || one.status === 'paid')) as Document[];
}

/** The invoice that the order would have; undefined where the books refuse it, as one over nothing. */
async function previewOf(context: TenantContext, order: Order, ports: BookPorts): Promise<Document | undefined> {
  try {
    return await rehearsal(context)
      .require(carryPostings)
      .write(async (tx) => {
        const [kept] = await tx.query(selectProfile(context.tenant));
        const profile = await shownProfile(tx, keptOf(kept));
        const own = within(tx.context, tx);
        // Who tests is no customer: a contact of tests would become a real one by it.
        const buyer = { ...order, contactId: null };
        const partyId = await customerFor({ context: own, order: buyer, ports });
        const date = order.placedAt.slice(0, 10);
        const language = await languageOfSeller(tx);
        const invoice = invoiceOf(order, profile, { partyId, date, language });
        const { id } = await createDocument(own, invoice, saleOf(order, language));
        return asPreview(await getDocument(own, { id }), order);
      });
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
}

const asPreview = (document: Document, { number }: Order): Document => ({
  ...document,
  number,
  notes: [documentWords[document.seller?.language ?? 'en'].testPreview, document.notes]
    .filter((note) => note !== null)
    .join('\n'),
});
