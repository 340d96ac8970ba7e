import { type Hand, textOf } from './client.ts';
import { approve } from './year.ts';

const day = 86_400_000;
/** Who keeps an eye on the books. */
export const colleague = 'bob@example.com';
const euros = (amount: string) => [{ amount, currency: 'EUR' }];

/** How the business decides: a colleague, what one person may let out, what the bookkeeping agent may do by itself, and what orders do to the books. */
export async function organize(
  { bookkeeper, merchandiser, owner }: Readonly<Record<'bookkeeper' | 'merchandiser' | 'owner', Hand>>,
  { now, worth, accepted }: { readonly now: number; readonly worth: number; accepted(secret: string): Promise<void> },
): Promise<void> {
  const proposed = async (agent: Hand, at: string, tool: string, args: object) =>
    approve(owner, textOf((await agent.call(at, tool, args))['pending_action_id']));
  const { result } = await proposed(merchandiser, 'portal', 'service_invite_member', {
    email: colleague,
    role: 'accountant',
  });
  const invitation = textOf(result?.['data']?.['invitation_id']);
  const { secret } = await owner.rest('portal', `/api/invitations/${invitation}/secret`, { body: {} });
  await accepted(textOf(secret));
  const policy = await owner.rest('portal', '/api/approval-policy');
  await owner.rest('portal', '/api/approval-policy', {
    method: 'PUT',
    // Of a day of the server's, on which a whole year happens.
    body: {
      ...policy,
      fourEyesAbove: euros('1000.00'),
      fourEyesAboveDaily: euros('250000.00'),
      newPayeeFourEyes: false,
    },
  });
  for (const tool of ['service_record_order_payment', 'service_post_bank_line'])
    await owner.rest('portal', '/api/standing-rules', {
      body: {
        tool,
        agentId: 'bookkeeper',
        upTo: euros('1000.00')[0],
        validUntil: new Date(now + 30 * day).toISOString(),
      },
    });
  await proposed(bookkeeper, 'accounting/books', 'service_update_seller', {
    address: 'Oderberger Straße 12\n10435 Berlin\nGermany',
    vat_number: 'DE312345678',
    registration: 'Amtsgericht Charlottenburg, HRB 123456',
    payment_details: 'Juniper & Clay\nIBAN DE89 3704 0044 0532 0130 00\nBIC COBADEFFXXX',
  });
  // What the shop has in stock when it opens, which its owner brought.
  await proposed(bookkeeper, 'accounting/books', 'service_import_opening_balances', {
    date: new Date(now - 366 * day).toISOString().slice(0, 10),
    content: `account,debit,credit\n1200,${(worth / 100).toFixed(2)},\n`,
    balance_to: '3000',
  });
  await proposed(bookkeeper, 'commerce/fulfilment', 'service_update_posting_profile', {
    mode: 'post',
    clearing_accounts: [{ handler: 'manual', account: '1000' }],
  });
}
