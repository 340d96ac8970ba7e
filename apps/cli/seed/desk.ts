import { ask, type Hand, textOf } from './client.ts';
import { buyers } from './people.ts';
import type { Chances } from './random.ts';
import type { Shop } from './shop.ts';
import { approve, type Year } from './year.ts';

const day = 86_400_000;

interface Setting {
  readonly merchandiser: Hand;
  readonly chances: Chances;
  readonly now: number;
  at(milliseconds: number | undefined): void;
}

const questions = [
  'Is the Tide teapot coming back in the larger size?',
  'Do you engrave names on mugs? It would be for a wedding in May.',
  'My parcel has not moved since Tuesday. Could you have a look?',
  'Which grind do you suggest for a moka pot?',
  'Are the Juniper bowls safe in the oven?',
  'One of the espresso cups arrived with a chip. I have photographs.',
  'We run a small café and would like to order forty cappuccino cups.',
  'Do you ship to Norway?',
  'Could I visit the workshop on a Saturday?',
  'Thank you, the vase is even nicer than on the picture!',
];

/** Two forms, and what people sent in over the year; the id of the first. */
export async function answerForms({
  merchandiser: agent,
  shop,
  count,
  chances,
  now,
  at,
}: Setting & { readonly shop: Shop; readonly count: number }): Promise<string> {
  const email = { name: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' };
  const name = { name: 'full_name', label: 'Your name', type: 'text', required: true, maps_to: 'name' };
  const forms = [
    [
      'Ask us',
      [
        name,
        email,
        { name: 'topic', label: 'Topic', type: 'select', options: ['Order', 'Product', 'Wholesale'] },
        { name: 'message', label: 'Message', type: 'textarea', required: true },
      ],
    ],
    [
      'Throwing workshop',
      [name, email, { name: 'seats', label: 'Seats', type: 'select', options: ['1', '2', '3', '4'], required: true }],
    ],
  ] as const;
  const made: { id: string; url: string }[] = [];
  for (const [title, fields] of forms) {
    const { form } = await agent.call('studio', 'service_create_form', {
      site_id: shop.siteId,
      name: title,
      target_entity_type: 'crm_contact',
      fields,
    });
    const published = await agent.call('studio', 'service_publish_form', { form_id: form?.['id'] });
    made.push({ id: textOf(form?.['id']), url: textOf(published['submit_url']) });
  }
  const times = Array.from({ length: count }, () => now - (0.1 + chances.next() * 330) * day).toSorted((a, b) => a - b);
  for (const [index, person] of buyers(count, chances).entries()) {
    at(Math.floor(times[index] ?? now));
    const asks = chances.happens(0.65);
    const data = asks
      ? { topic: chances.of(['Order', 'Product', 'Wholesale']), message: chances.of(questions) }
      : { seats: String(chances.whole(1, 4)) };
    const url = made[asks ? 0 : 1]?.url ?? '';
    const headers = { 'x-service-sdk-key': shop.liveKey };
    // Not everybody who reads a form sends it.
    for (let read = 0; read <= index % 3; read += 1) await ask(url.replace(/submit$/, 'schema'), { headers });
    for (let start = 0; start <= (index % 3) / 2; start += 1)
      await ask(url.replace(/submit$/, 'start'), { method: 'POST', headers });
    await ask(url, {
      headers,
      body: { data: { full_name: person.name, email: person.email, ...data } },
    });
  }
  return made[0]?.id ?? '';
}

const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** A bill that is due, and its payment, which waits for a person as all that money leaves by. */
async function payBill({ bookkeeper, owner }: Readonly<Record<'bookkeeper' | 'owner', Hand>>): Promise<unknown> {
  const { party } = await bookkeeper.call('accounting/sales', 'service_create_party', {
    name: 'Ofenbau Wagner',
    supplier: true,
    address: 'Industriestraße 14\n95448 Bayreuth\nGermany',
    vat_number: 'DE298765432',
  });
  const partyId = textOf(party?.['id']);
  const { document } = await bookkeeper.call('accounting/sales', 'service_create_bill', {
    party_id: partyId,
    supplier_number: '2217',
    issue_date: dayAt(Date.now() - 16 * day),
    due_date: dayAt(Date.now() - 2 * day),
    lines: [{ description: 'Service of the kiln, new thermocouple', unit_price: '236.80', account: '6200' }],
  });
  const id = textOf(document?.['id']);
  const issued = await bookkeeper.call('accounting/sales', 'service_issue_document', { document_id: id });
  await approve(owner, textOf(issued['pending_action_id']));
  return bookkeeper.call('accounting/sales', 'service_record_payment', {
    direction: 'made',
    party_id: partyId,
    account: '1000',
    date: dayAt(Date.now()),
    currency: 'EUR',
    amount: '236.80',
    reference: '2217',
    allocations: [{ document_id: id, amount: '236.80' }],
  });
}

/** What agents propose today and a person has not decided. How many. */
export async function propose(
  hands: Readonly<Record<'owner' | 'packer' | 'bookkeeper' | 'merchandiser', Hand>>,
  { owed, sent }: Year,
): Promise<number> {
  const { packer, bookkeeper, merchandiser } = hands;
  const refund = async (orderId: string, args: object): Promise<unknown> =>
    packer.call('commerce/fulfilment', 'service_refund_order', { order_id: orderId, ...args });
  const goodwill = {
    adjustment: { amount: '5.00', currency: 'EUR' },
    reason: 'goodwill',
    note: 'The parcel came a week late.',
  };
  const asked = [
    ...owed.slice(-3).map(async ({ orderId, returnId }) => refund(orderId, { return_id: returnId })),
    ...sent.slice(-2).map(async (orderId) => refund(orderId, goodwill)),
  ];
  asked.push(
    payBill(hands),
    merchandiser.call('portal', 'service_invite_member', { email: 'carla@example.com', role: 'viewer' }),
    bookkeeper.call('accounting', 'service_post_journal_entry', {
      date: dayAt(Date.now()),
      currency: 'EUR',
      narration: 'Depreciation of the kiln',
      lines: [
        { account: '6950', debit: '85.00' },
        { account: '1590', credit: '85.00' },
      ],
    }),
    merchandiser.call('commerce/fulfilment', 'service_update_payment_settings', {
      manual_methods: [
        {
          method: 'bank_transfer',
          instructions: 'Juniper & Clay, IBAN DE02 1203 0000 0000 2020 51. Please name your order.',
        },
        { method: 'invoice', instructions: null },
      ],
    }),
  );
  return (await Promise.all(asked)).length;
}
