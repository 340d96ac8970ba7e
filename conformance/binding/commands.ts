import type { Json } from '@steward/conformance/world';

/** Calls a command and has it approved; what it answered. */
export type Do = (name: string, args: Record<string, unknown>) => Promise<Json>;

/** Things of one tenant that commands are about. */
export interface Things {
  readonly tenant: string;
  readonly brand: string;
  /** A number that is another each time. */
  next(): number;
  pending(): Promise<string>;
  /** Two pieces of a variant that somebody ordered, and how they said that they pay; its id, and its line's. */
  order(
    variantId?: string,
    mode?: 'live' | 'test',
    method?: 'invoice' | 'succeed',
  ): Promise<{ readonly order_id: string; readonly line_id: string }>;
  /** A feed with a line, and ids of movements that a line of a file stands for. */
  feed(): Promise<{ readonly feed_id: string; readonly movement_ids: readonly string[] }>;
  /** The connection, once its secrets are given, or it is paused; its id. */
  connected(connectionId: string, status: 'active' | 'paused'): Promise<string>;
  /** Has a product feed begin: the token of its platform is given. */
  withToken(feed: Json | undefined): Promise<void>;
  /** A delivery of a provider; its id. */
  delivered(status: 'dead' | 'applied'): Promise<string>;
  /** A shop that installed the app; the code that its browser was shown. */
  installed(): Promise<string>;
  /** The channel, once the locations of its shop were read: 31 and 32; its id. */
  located(channelId: string): Promise<string>;
  /** The channel, once the products of its shop were imported; its id. */
  imported(channelId: string): Promise<string>;
  /** DNS says this in text from now on. */
  inDns(name: string, value: string): void;
  /** What a visitor of a page submits; its id. */
  submit(form: string, site: string, email: string, mode?: 'live' | 'test'): Promise<string>;
}

type Arguments = (act: Do, things: Things) => Promise<Record<string, unknown>>;

/** The key that the brand signs with; null: none. */
const keyOf = async (act: Do, { brand }: Things): Promise<string | null> => {
  const { items } = await act('service_list_signing_keys', { brand_id: brand, limit: 200 });
  const active = (items as unknown as Json[]).find(({ status }) => String(status) === 'active');
  return active === undefined ? null : id(active);
};
const withoutKey = async (act: Do, things: Things): Promise<{ brand_id: string }> => {
  const key_id = await keyOf(act, things);
  if (key_id !== null) await act('service_revoke_signing_key', { key_id });
  return { brand_id: things.brand };
};
const signing = async (act: Do, things: Things): Promise<string> =>
  (await keyOf(act, things)) ?? id((await act('service_create_signing_key', { brand_id: things.brand }))['key']);
/** An agent of buyers, and where it is one. */
const shopper = ({ next }: Things) => ({ protocol: 'ucp', profile_url: `https://agent${next()}.invalid/ucp` });
const agentAt = async (act: Do, things: Things): Promise<string> =>
  id((await act('service_trust_agent', { brand_id: things.brand, ...shopper(things) }))['agent']);

/** A host that the brand claims, and DNS says so. */
const hostOf = async (act: Do, { brand, next, inDns }: Things): Promise<string> => {
  const { host } = await act('service_claim_brand_host', { brand_id: brand, host: `shop${next()}.example.com` });
  inDns(String(host?.['record']?.['name']), String(host?.['record']?.['value']));
  return id(host);
};

const credentialOf = async (act: Do, { brand, next }: Things): Promise<string> =>
  id(
    (
      await act('service_issue_agent_credential', {
        brand_id: brand,
        profile_url: `https://platform${next()}.invalid/`,
      })
    )['credential'],
  );

/** A platform that buys by ACP. */
const platformOf = async (act: Do, { brand, next }: Things): Promise<unknown> => {
  const profile_url = `https://platform${next()}.invalid/`;
  return (await act('service_issue_agent_credential', { brand_id: brand, profile_url }))['credential']?.['agent_id'];
};
const setFeed = async (act: Do, things: Things): Promise<Json | undefined> => {
  const agent_id = await platformOf(act, things);
  return (await act('service_set_agent_feed', { agent_id, url: `https://feeds${things.next()}.invalid` }))['feed'];
};
const productFeed = async (act: Do, things: Things): Promise<string> => id(await setFeed(act, things));
/** One that has its token. */
const begunFeed = async (act: Do, things: Things): Promise<string> => {
  const feed = await setFeed(act, things);
  await things.withToken(feed);
  return id(feed);
};

/** A webhook to an address that there is not. */
const hook = ({ next }: Things) => ({
  url: `https://hooks${next()}.invalid/hook`,
  types: ['commerce.order.placed'],
  description: `Warehouse ${next()}`,
  per_second: 5,
  signing: 'ed25519',
});
const webhook = async (act: Do, things: Things): Promise<string> =>
  id((await act('service_create_webhook', hook(things)))['webhook']);

const party = async (act: Do, { next }: Things, more: object = {}): Promise<string> =>
  id(
    (await act('service_create_party', { name: `Acme ${next()} Ltd`, email: `acme${next()}@example.com`, ...more }))[
      'party'
    ],
  );
const id = (thing: Json | undefined): string => String(thing?.['id']);
const lines = (tax?: string) => [
  { description: 'Advice', unit_price: '100', account: '4000', ...(tax === undefined ? {} : { tax_id: tax }) },
];
const taxRate = async (act: Do, { next }: Things): Promise<string> =>
  id((await act('service_create_tax_rate', { name: `VAT ${next()}`, percentage: '19' }))['tax_rate']);
const draft = async (act: Do, things: Things, more: object = {}): Promise<string> =>
  id(
    (
      await act('service_create_invoice', {
        party_id: await party(act, things),
        issue_date: '2026-03-02',
        notes: 'Pay within a month.',
        lines: lines(await taxRate(act, things)),
        ...more,
      })
    )['document'],
  );
const issued = async (act: Do, things: Things, more: object = {}): Promise<string> => {
  const document_id = await draft(act, things, more);
  await act('service_issue_document', { document_id });
  return document_id;
};
const bill = async (act: Do, things: Things): Promise<string> => {
  const made = await act('service_create_bill', {
    party_id: await party(act, things, { supplier: true }),
    issue_date: '2026-03-02',
    supplier_number: `R-${things.next()}`,
    lines: [{ description: 'Rent', unit_price: '100', account: '6000' }],
  });
  const document_id = id(made['document']);
  await act('service_issue_document', { document_id });
  return document_id;
};
/** Two pieces of a counted variant that were ordered, paid and sent. */
const sent = async (act: Do, things: Things): Promise<{ readonly order_id: string; readonly line_id: string }> => {
  const { variant_id } = await counted(act, things);
  const ordered = await things.order(variant_id, 'live', 'invoice');
  await act('service_record_order_payment', { order_id: ordered.order_id });
  await act('service_fulfil_order', { order_id: ordered.order_id });
  return ordered;
};
const requested = async (act: Do, things: Things): Promise<string> => {
  const { order_id, line_id } = await sent(act, things);
  const lines = [{ line_id, quantity: 1 }];
  return id((await act('service_request_return', { order_id, lines, reason: 'other' }))['return']);
};
/** An account at a provider, whose secrets nobody gave yet. */
const connection = async (act: Do, { next }: Things): Promise<string> => {
  const account = { receiver: 'accounting.card_payments', provider: 'stripe', name: `Till ${next()}`, live: false };
  return id((await act('service_connect_provider', account))['connection']);
};
const channel = async (act: Do, things: Things): Promise<string> => {
  const code = await things.installed();
  return id((await act('service_connect_channel', { code, location_id: await location(act, things) }))['channel']);
};
/** A channel whose products are described here. */
const described = async (act: Do, things: Things): Promise<string> => {
  const channel_id = await things.imported(await channel(act, things));
  await act('service_set_channel_products', { channel_id, products: 'here' });
  return channel_id;
};
/** What an order owes the books. */
const owed = async (act: Do, { order }: Things): Promise<string> => {
  const { postings } = await act('service_list_order_postings', { order_id: (await order()).order_id });
  return id((postings as unknown as Json[])[0]);
};
const partyOf = async (act: Do, document_id: string): Promise<string> =>
  String((await act('service_get_document', { document_id }))['document']?.['party_id']);
const received = async (act: Do, things: Things, more: object = {}): Promise<Json> =>
  (
    await act('service_record_payment', {
      direction: 'received',
      party_id: await party(act, things),
      account: '1000',
      date: '2026-03-05',
      currency: 'USD',
      amount: '50.00',
      ...more,
    })
  )['payment'] ?? {};
const entry = async (act: Do, amount = '10.00', date = '2026-03-03'): Promise<string> =>
  id(
    (
      await act('service_post_journal_entry', {
        date,
        currency: 'USD',
        narration: 'Interest',
        lines: [
          { account: '1000', debit: amount },
          { account: '4000', credit: amount },
        ],
      })
    )['entry'],
  );
const bankLine = async (act: Do, { next }: Things, amount = '10.00'): Promise<string> => {
  const n = next();
  await act('service_import_bank_statement', {
    account: '1000',
    format: 'csv',
    content: `date,amount,description,id\n2026-03-03,${amount},Transfer ${n},id-${n}\n`,
  });
  const { lines: found } = await act('service_list_bank_lines', { account: '1000', unmatched: true, limit: 200 });
  const line = (found as unknown as Json[]).find(({ description }) => String(description).includes(`Transfer ${n}`));
  return id(line);
};
const matched = async (act: Do, things: Things): Promise<string> => {
  const line_id = await bankLine(act, things);
  const entry_id = await entry(act);
  const { line = {} } = await act('service_match_bank_line', { line_id, entries: [{ entry_id }] });
  return String((line['matches'] as unknown as Json[])[0]?.['match_id']);
};
const bankAccount = async (act: Do, { next }: Things): Promise<string> => {
  const code = `19${next()}`;
  await act('service_import_chart_of_accounts', {
    content: `code,name,type,currency\n${code},Bank ${code},bank,USD\n`,
  });
  return code;
};
const contact = async (act: Do, { next }: Things, more: object = {}): Promise<string> =>
  id(
    (await act('service_upsert_contact', { email: `ann${next()}@example.com`, name: `Ann ${next()}`, ...more }))[
      'contact'
    ],
  );
const site = async (act: Do, { next }: Things): Promise<string> =>
  id((await act('service_create_site', { name: `Shop ${next()}`, origins: ['https://shop.example.com'] }))['site']);
const key = async (act: Do, site_id: string): Promise<string> =>
  id((await act('service_issue_sdk_key', { site_id, mode: 'live', label: 'Pages' }))['sdk_key']);
const form = async (act: Do, things: Things, published = false, notify: readonly string[] = []): Promise<string> => {
  const made = await act('service_create_form', {
    site_id: await site(act, things),
    name: 'Ask us',
    fields: [{ name: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' }],
    target_entity_type: 'crm_contact',
    notification_emails: notify,
  });
  const form_id = id(made['form']);
  if (published) await act('service_publish_form', { form_id });
  return form_id;
};

const product = async (act: Do, { next }: Things): Promise<string> =>
  id(
    (
      (
        await act('service_create_products', {
          products: [{ title: `Mug ${next()}`, variants: [{ prices: [{ amount: '9.00', currency: 'USD' }] }] }],
        })
      )['products'] as unknown as Json[]
    )[0],
  );
const variant = async (act: Do, things: Things): Promise<string> => {
  const { product: made = {} } = await act('service_get_product', { product_id: await product(act, things) });
  return id((made['variants'] as unknown as Json[])[0]);
};
const picture = async (act: Do, things: Things): Promise<string> =>
  id(
    (
      (
        await act('service_add_product_media', {
          media: [{ product_id: await product(act, things), url: 'https://pictures.invalid/a.png', alt: 'A mug' }],
        })
      )['media'] as unknown as Json[]
    )[0],
  );
const taxZone = async (act: Do, things: Things): Promise<string> => {
  const rates = [{ category: 'standard', tax_id: await taxRate(act, things) }];
  const made = await act('service_create_tax_zones', { zones: [{ name: 'A zone', ...place(things), rates }] });
  return id((made['tax_zones'] as unknown as Json[] | undefined)?.[0]);
};
/** A region of its own: a number of two letters or digits. */
const place = ({ next }: Things) => ({ country: 'DE', region: (next() % 1_296).toString(36).toUpperCase() });
const shippingZone = async (act: Do, things: Things): Promise<string> =>
  id((await act('service_create_shipping_zone', { name: 'A zone', places: [place(things)] }))['shipping_zone']);
const parcel = { name: 'Parcel', kind: 'flat', currency: 'USD', amount: '5.00' };
const shippingOption = async (act: Do, things: Things): Promise<string> => {
  const shipping_zone_id = await shippingZone(act, things);
  return id((await act('service_create_shipping_option', { shipping_zone_id, ...parcel }))['shipping_option']);
};
const discount = async (act: Do, { next }: Things): Promise<string> =>
  id((await act('service_create_discount', { name: 'Sale', code: `SALE${next()}`, ...tenOff }))['discount']);
/** Of everything that there is, so that it has something. */
const every = { rules: [{ field: 'title', operator: 'contains_not', value: 'no such title' }] };
const collection = async (act: Do, { next }: Things): Promise<string> =>
  id((await act('service_create_collection', { title: `Collection ${next()}`, ...every }))['collection']);
const priceList = async (act: Do, { next }: Things): Promise<string> => {
  const given = {
    name: `List ${next()}`,
    currency: 'USD',
    ends_at: '2026-01-02T00:00:00Z',
    starts_at: '2026-01-01T00:00:00Z',
  };
  return id((await act('service_create_price_list', given))['price_list']);
};
const tenOff = { kind: 'fixed_amount', amounts: [{ amount: '10.00', currency: 'USD' }] };

const location = async (act: Do, { next }: Things): Promise<string> =>
  id((await act('service_create_location', { name: `Store ${next()}`, code: `store-${next()}` }))['location']);
const held = async (act: Do, things: Things): Promise<{ variant_id: string; location_id: string }> => ({
  variant_id: await variant(act, things),
  location_id: await location(act, things),
});
/** Five pieces of a variant at a location. */
const counted = async (act: Do, things: Things): Promise<{ variant_id: string; location_id: string }> => {
  const line = await held(act, things);
  await act('service_count_stock', { lines: [{ ...line, counted: 5, cost: { amount: '12.50', currency: 'USD' } }] });
  return line;
};

const tracked = { carrier: 'DHL', tracking_number: 'JD014', tracking_url: 'https://track.example.com/JD014' };

/** How each command is called in a world of its own making. A command that is missing here fails the test of all. */
export const commands: Readonly<Record<string, Arguments>> = {
  service_attach_file: async (act) => ({
    target_kind: 'entry',
    target_id: await entry(act),
    file_name: 'receipt.txt',
    media_type: 'text/plain',
    content_base64: 'UmVjZWlwdA==',
  }),
  service_import_bank_statement: async (_act, { next }) => ({
    account: '1000',
    format: 'csv',
    content: `date,amount,description,id\n2026-03-03,1.00,New ${next()},new-${next()}\n`,
  }),
  service_match_bank_line: async (act, things) => ({
    line_id: await bankLine(act, things),
    entries: [{ entry_id: await entry(act) }],
  }),
  service_unmatch_bank_line: async (act, things) => ({ match_id: await matched(act, things) }),
  service_post_bank_line: async (act, things) => ({ line_id: await bankLine(act, things, '-4.50'), account: '6000' }),
  service_settle_bank_line: async (act, things) => ({
    line_id: await bankLine(act, things, '4.50'),
    allocations: [{ document_id: await issued(act, things), amount: '4.50' }],
  }),
  service_reconcile_account: async (act, things) => ({
    account: await bankAccount(act, things),
    to: '2026-03-31',
    opening: '0.00',
    closing: '0.00',
  }),
  service_undo_reconciliation: async (act, things) => {
    const account = await bankAccount(act, things);
    await act('service_reconcile_account', { account, to: '2026-03-31', opening: '0.00', closing: '0.00' });
    return { account, reason: 'A line was wrong.' };
  },
  service_set_feed_account: async (act, things) => ({
    feed_id: (await things.feed()).feed_id,
    account: await bankAccount(act, things),
  }),
  service_take_feed_movements: async (_act, things) => {
    const { feed_id, movement_ids } = await things.feed();
    return { feed_id, movement_ids };
  },
  service_add_bank_rule: async (_act, { next }) => ({ contains: `Rent ${next()}`, account: '6000' }),
  service_archive_bank_rule: async (act, { next }) => ({
    rule_id: (await act('service_add_bank_rule', { contains: `Fee ${next()}`, account: '6000' }))['rule_id'],
  }),
  service_post_journal_entry: async () => ({
    date: '2026-03-04',
    currency: 'USD',
    narration: 'Interest of March',
    lines: [
      { account: '1000', debit: '3.00' },
      { account: '4000', credit: '3.00' },
    ],
  }),
  service_reverse_journal_entry: async (act) => ({
    entry_id: await entry(act),
    date: '2026-03-20',
    narration: 'Wrong',
  }),
  service_import_chart_of_accounts: async (act, things) => {
    const code = await bankAccount(act, things);
    return { content: `code,name,type,currency\n${code},Savings,bank,USD\n8${code},New,expense,\n` };
  },
  service_import_opening_balances: async () => ({
    date: '2026-01-01',
    content: 'account,debit,credit\n1000,100.00,\n',
    balance_to: '3000',
  }),
  service_close_period: async () => ({ month: '2024-05-01' }),
  service_reopen_period: async (act) => {
    await act('service_close_period', { month: '2024-06-01' });
    return { month: '2024-06-01', reason: 'A bill came late.' };
  },
  service_close_fiscal_year: async (act) => {
    await entry(act, '9.00', '2023-03-03');
    return { day: '2023-06-30' };
  },
  service_set_exchange_rate: async () => ({ currency: 'EUR', day: '2026-03-01', rate: '1.1' }),
  service_create_party: async (_act, { next }) => ({ name: `New ${next()} Ltd` }),
  service_update_party: async (act, things) => ({ party_id: await party(act, things), name: 'Renamed Ltd' }),
  service_update_seller: async (act, { next }) => {
    await act('service_update_seller', { address: `Ring ${next()}\n1010 Wien` });
    return { address: `Ring ${next()}\n1010 Wien` };
  },
  service_create_tax_rate: async (_act, { next }) => ({ name: `Reduced ${next()}`, percentage: '7' }),
  service_archive_tax_rate: async (act, things) => ({ tax_id: await taxRate(act, things) }),
  service_set_w9_status: async (act, things) => {
    const party_id = await party(act, things, { supplier: true });
    await act('service_set_w9_status', { party_id, status: 'requested' });
    return { party_id, status: 'received' };
  },
  service_create_invoice: async (act, things) => ({
    party_id: await party(act, things),
    issue_date: '2026-03-02',
    lines: lines(await taxRate(act, things)),
  }),
  service_create_bill: async (act, things) => ({
    party_id: await party(act, things, { supplier: true }),
    issue_date: '2026-03-02',
    supplier_number: `B-${things.next()}`,
    lines: [{ description: 'Rent', unit_price: '100', account: '6000' }],
  }),
  service_update_document: async (act, things) => {
    const document_id = await draft(act, things);
    return {
      document_id,
      party_id: await party(act, things),
      issue_date: '2026-03-03',
      notes: 'Other words.',
      lines: lines(),
    };
  },
  service_issue_document: async (act, things) => ({ document_id: await draft(act, things) }),
  service_void_document: async (act, things) => ({ document_id: await issued(act, things), date: '2026-03-20' }),
  service_record_payment: async (act, things) => {
    const document_id = await bill(act, things);
    return {
      direction: 'made',
      party_id: await partyOf(act, document_id),
      account: '1000',
      date: '2026-03-05',
      currency: 'USD',
      amount: '100.00',
      allocations: [{ document_id, amount: '100.00' }],
    };
  },
  service_allocate_payment: async (act, things) => {
    const document_id = await issued(act, things);
    const paid = await received(act, things, { party_id: await partyOf(act, document_id) });
    return { credit_id: id(paid), date: '2026-03-06', allocations: [{ document_id, amount: '50.00' }] };
  },
  service_unallocate_payment: async (act, things) => {
    const document_id = await issued(act, things);
    const party_id = await partyOf(act, document_id);
    const paid = await received(act, things, { party_id, allocations: [{ document_id, amount: '50.00' }] });
    return { allocation_id: id((paid['allocations'] as unknown as Json[])[0]), date: '2026-03-20' };
  },
  service_void_payment: async (act, things) => ({ payment_id: id(await received(act, things)), date: '2026-03-20' }),
  service_revalue_open_items: async (act, things) => {
    for (const [day, rate] of [
      ['2026-03-01', '1.1'],
      ['2026-03-31', '1.2'],
    ])
      await act('service_set_exchange_rate', { currency: 'CHF', day, rate });
    await issued(act, things, { currency: 'CHF' });
    return { day: '2026-03-31' };
  },
  service_upsert_contact: async (act, things) => ({ contact_id: await contact(act, things), name: 'Ann Other' }),
  service_upsert_contacts: async (act, { next }) => {
    const email = `many${next()}@example.com`;
    await act('service_upsert_contact', { email, name: 'Before' });
    return { contacts: [{ email, name: 'After' }, { email: `fresh${next()}@example.com` }] };
  },
  service_merge_contacts: async (act, things) => ({
    contact_id: await contact(act, things, { phone: '+4930901820' }),
    duplicate_id: await contact(act, things, { name: 'Ann Twice' }),
  }),
  service_define_contact_field: async (_act, { next }) => ({ key: `field_${next()}`, label: 'Pet', type: 'text' }),
  service_set_contact_country: async () => ({ country: 'DE' }),
  service_erase_contact: async (act, things) => ({ contact_id: await contact(act, things) }),
  service_erase_form_submission: async (act, things) => {
    const form_id = await form(act, things, true);
    const { form: made } = await act('service_get_form', { form_id });
    return { submission_id: await things.submit(form_id, String(made?.['site_id']), `v${things.next()}@example.com`) };
  },
  service_erase_test_data: async (act, things) => {
    const form_id = await form(act, things, true);
    const { form: made } = await act('service_get_form', { form_id });
    await things.submit(form_id, String(made?.['site_id']), `t${things.next()}@example.com`, 'test');
    return {};
  },
  service_create_products: async (_act, { brand, next }) => ({
    products: [{ title: `Bowl ${next()}`, status: 'active', brand_ids: [brand] }],
  }),
  service_import_products: async (_act, { brand, next }) => ({
    content: `Handle,Title,Variant Price,Image Src\nplate-${next()},Plate,9.00,https://cdn.example/plate.jpg\n`,
    currency: 'USD',
    publish_to: [brand],
  }),
  service_update_products: async (act, things) => ({
    products: [{ product_id: await product(act, things), title: `Cup ${things.next()}` }],
  }),
  service_set_variants: async (act, things) => ({
    product_id: await product(act, things),
    options: ['Size'],
    variants: [{ options: { Size: 'S' } }, { options: { Size: 'M' } }],
  }),
  service_set_prices: async (act, things) => ({
    variants: [{ variant_id: await variant(act, things), prices: [{ amount: '12.00', currency: 'USD' }] }],
  }),
  service_add_product_media: async (act, things) => ({
    media: [{ product_id: await product(act, things), url: 'https://pictures.invalid/b.png', alt: 'Another' }],
  }),
  service_update_product_media: async (act, things) => ({
    media: [{ medium_id: await picture(act, things), alt: 'A blue mug' }],
  }),
  service_remove_product_media: async (act, things) => ({ medium_ids: [await picture(act, things)] }),
  service_set_brand_logo: async (_act, things) => ({
    brand_id: things.brand,
    url: `https://pictures.invalid/${things.next()}.png`,
  }),
  service_remove_brand_logo: async (act, { brand, next }) => {
    await act('service_set_brand_logo', { brand_id: brand, url: `https://pictures.invalid/${next()}.png` });
    return { brand_id: brand };
  },
  service_publish_products: async (act, things) => ({
    product_ids: [await product(act, things)],
    brand_ids: [things.brand],
  }),
  service_unpublish_products: async (act, things) => {
    const given = { product_ids: [await product(act, things)], brand_ids: [things.brand] };
    await act('service_publish_products', given);
    return given;
  },
  service_create_location: async (_act, { next }) => ({
    name: `Shop ${next()}`,
    code: `shop-${next()}`,
    country: 'DE',
  }),
  service_update_location: async (act, things) => ({
    location_id: await location(act, things),
    name: `Shed ${things.next()}`,
    archived: true,
  }),
  service_adjust_stock: async (act, things) => ({
    lines: [{ ...(await counted(act, things)), delta: -2 }],
    reason: 'damaged',
    note: 'Fell down.',
  }),
  service_count_stock: async (act, things) => ({
    lines: [{ ...(await held(act, things)), counted: 7, cost: { amount: '4.00', currency: 'USD' } }],
  }),
  service_expect_stock: async (act, things) => ({ lines: [{ ...(await counted(act, things)), incoming: 20 }] }),
  service_transfer_stock: async (act, things) => {
    const { variant_id, location_id } = await counted(act, things);
    return {
      from_location_id: location_id,
      to_location_id: await location(act, things),
      lines: [{ variant_id, quantity: 2 }],
    };
  },
  service_set_stock_items: async (act, things) => {
    const { variant_id } = await counted(act, things);
    const { levels } = await act('service_get_stock', { variant_ids: [variant_id] });
    return {
      variants: [
        { variant_id, items: [{ quantity: 1, policy: 'continue', name: 'Mug' }] },
        {
          variant_id: await variant(act, things),
          items: [{ item_id: (levels as unknown as Json[])[0]?.['item_id'], quantity: 6 }],
        },
      ],
    };
  },
  service_update_order: async (_act, { order }) => ({
    order_id: (await order()).order_id,
    note: 'Call first.',
    tags: ['gift'],
  }),
  service_fulfil_order: async (act, things) => {
    const { variant_id } = await counted(act, things);
    const { order_id, line_id } = await things.order(variant_id);
    return { order_id, lines: [{ line_id, quantity: 1 }], ...tracked, reference: `S-${things.next()}` };
  },
  service_update_fulfilment: async (act, { order }) => {
    const { order_id } = await order();
    const made = (await act('service_fulfil_order', { order_id }))['order'];
    return { fulfilment_id: id((made?.['fulfilments'] as unknown as Json[] | undefined)?.[0]), ...tracked };
  },
  service_cancel_order: async (act, things) => {
    const { variant_id } = await counted(act, things);
    return { order_id: (await things.order(variant_id)).order_id, reason: 'customer' };
  },
  service_edit_order: async (act, things) => {
    const { variant_id } = await counted(act, things);
    // Of a test, which owes the books nothing: they would follow when they like.
    const { order_id, line_id } = await things.order(variant_id, 'test');
    return { order_id, version: 1, lines: [{ line_id, quantity: 1 }] };
  },
  service_record_order_payment: async (_act, { order }) => ({
    order_id: (await order(undefined, 'live', 'invoice')).order_id,
    amount: { amount: '10.00', currency: 'USD' },
  }),
  service_capture_order_payment: async (act, { order }) => {
    await act('service_update_payment_settings', { capture_at: 'fulfilment' });
    return { order_id: (await order(undefined, 'test', 'succeed')).order_id };
  },
  service_extend_order_payment: async (act, { order }) => {
    await act('service_update_payment_settings', { manual_methods: [{ method: 'invoice', pay_within_days: 14 }] });
    const { order_id } = await order(undefined, 'live', 'invoice');
    return { order_id, pay_by: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10) };
  },
  service_void_order_payment: async (_act, { order }) => ({
    order_id: (await order(undefined, 'live', 'invoice')).order_id,
  }),
  service_update_payment_settings: async (act, { next }) => {
    const paid = () => ({
      manual_methods: [{ method: 'invoice' }, { method: 'bank_transfer', instructions: `IBAN ${next()}` }],
    });
    await act('service_update_payment_settings', paid());
    return paid();
  },
  service_update_letter_settings: async (act, { brand, next }) => {
    const settings = () => ({
      brand_id: brand,
      reply_to: `help-${next()}@shop.example`,
      new_orders_to: ['owner@example.com', `orders-${next()}@shop.example`],
    });
    await act('service_update_letter_settings', settings());
    return settings();
  },
  service_refund_order: async (act, things) => {
    const { order_id, line_id } = await sent(act, things);
    return { order_id, lines: [{ line_id, quantity: 1 }], reason: 'other', reference: `R-${things.next()}` };
  },
  service_request_return: async (act, things) => {
    const { order_id, line_id } = await sent(act, things);
    return { order_id, lines: [{ line_id, quantity: 1 }], reason: 'other' };
  },
  service_approve_return: async (act, things) => ({ return_id: await requested(act, things) }),
  service_reject_return: async (act, things) => ({ return_id: await requested(act, things), note: 'Worn.' }),
  service_receive_return: async (act, things) => {
    const return_id = await requested(act, things);
    await act('service_approve_return', { return_id });
    return { return_id };
  },
  service_carry_out_order_posting: async (act, things) => ({ posting_id: await owed(act, things) }),
  service_create_collection: async (_act, { brand, next }) => ({
    title: `Collection ${next()}`,
    brand_ids: [brand],
    ...every,
  }),
  service_update_collection: async (act, things) => ({
    collection_id: await collection(act, things),
    title: `Another ${things.next()}`,
  }),
  service_archive_collection: async (act, things) => ({ collection_id: await collection(act, things) }),
  service_create_price_list: async (_act, { brand, next }) => ({
    name: `List ${next()}`,
    currency: 'USD',
    brand_id: brand,
    starts_at: '2026-01-01T00:00:00Z',
    ends_at: '2199-01-01T00:00:00Z',
  }),
  service_update_price_list: async (act, things) => ({
    price_list_id: await priceList(act, things),
    name: `Another ${things.next()}`,
  }),
  service_set_list_prices: async (act, things) => {
    const price_list_id = await priceList(act, things);
    return { price_list_id, variants: [{ variant_id: await variant(act, things), prices: [{ amount: '1.00' }] }] };
  },
  service_configure_agentic_commerce: async (act, things) => {
    await signing(act, things);
    const { doors } = await act('service_get_agentic_commerce', { brand_id: things.brand });
    const door = (doors as unknown as Json[]).find(({ protocol }) => String(protocol) === 'ucp');
    return { brand_id: things.brand, protocol: 'ucp', active: String(door?.['active']) !== 'true' };
  },
  service_create_signing_key: async (act, things) => withoutKey(act, things),
  service_rotate_signing_key: async (act, things) => {
    await signing(act, things);
    return { brand_id: things.brand };
  },
  service_revoke_signing_key: async (act, things) => ({ key_id: await signing(act, things) }),
  service_claim_brand_host: async (_act, { brand, next }) => ({ brand_id: brand, host: `shop${next()}.example.com` }),
  service_verify_brand_host: async (act, things) => ({ host_id: await hostOf(act, things) }),
  service_release_brand_host: async (act, things) => {
    const host_id = await hostOf(act, things);
    await act('service_verify_brand_host', { host_id });
    await act('service_release_brand_host', { host_id: await hostOf(act, things) });
    return { host_id };
  },
  service_trust_agent: async (_act, things) => ({ brand_id: things.brand, ...shopper(things) }),
  service_issue_agent_credential: async (_act, { brand, next }) => ({
    brand_id: brand,
    profile_url: `https://platform${next()}.invalid/`,
  }),
  service_rotate_agent_credential: async (act, things) => ({ credential_id: await credentialOf(act, things) }),
  service_revoke_agent_credential: async (act, things) => ({ credential_id: await credentialOf(act, things) }),
  service_set_agent_webhook: async (act, { brand, next }) => {
    const profile_url = `https://platform${next()}.invalid/`;
    const { credential } = await act('service_issue_agent_credential', { brand_id: brand, profile_url });
    return { agent_id: credential?.['agent_id'], url: profile_url };
  },
  service_set_agent_feed: async (act, things) => ({
    agent_id: await platformOf(act, things),
    url: `https://feeds${things.next()}.invalid`,
    target_country: 'US',
  }),
  service_pause_agent_feed: async (act, things) => ({ feed_id: await begunFeed(act, things) }),
  service_resume_agent_feed: async (act, things) => {
    const feed_id = await begunFeed(act, things);
    await act('service_pause_agent_feed', { feed_id });
    return { feed_id };
  },
  service_remove_agent_feed: async (act, things) => ({ feed_id: await productFeed(act, things) }),
  service_shut_out_agent: async (act, things) => ({ agent_id: await agentAt(act, things) }),
  service_readmit_agent: async (act, things) => {
    const agent_id = await agentAt(act, things);
    await act('service_shut_out_agent', { agent_id });
    return { agent_id };
  },
  service_create_site: async (_act, { brand, next }) => ({ name: `Site ${next()}`, brand_id: brand }),
  service_update_site: async (act, things) => ({ site_id: await site(act, things), name: 'Another shop' }),
  service_issue_sdk_key: async (act, things) => ({ site_id: await site(act, things), label: 'Pages' }),
  service_rotate_sdk_key: async (act, things) => {
    const site_id = await site(act, things);
    return { site_id, key_id: await key(act, site_id), overlap_hours: 0 };
  },
  service_revoke_sdk_key: async (act, things) => {
    const site_id = await site(act, things);
    return { site_id, key_id: await key(act, site_id) };
  },
  service_create_form: async (act, things) => ({
    site_id: await site(act, things),
    name: 'Ask us',
    fields: [{ name: 'email', label: 'E-mail', type: 'email' }],
  }),
  service_update_form: async (act, things) => ({ form_id: await form(act, things), name: 'Ask us all' }),
  service_publish_form: async (act, things) => ({ form_id: await form(act, things) }),
  service_unpublish_form: async (act, things) => ({ form_id: await form(act, things, true) }),
  service_archive_form: async (act, things) => ({ form_id: await form(act, things) }),
  service_restore_form: async (act, things) => {
    const form_id = await form(act, things);
    await act('service_archive_form', { form_id });
    return { form_id };
  },
  service_retry_form_recipient: async (act, things) => {
    const address = `desk${things.next()}@example.com`;
    return { form_id: await form(act, things, true, [address]), address };
  },
  service_create_tax_zones: async (act, things) => ({
    zones: [
      { name: 'A zone', ...place(things), rates: [{ category: 'standard', tax_id: await taxRate(act, things) }] },
    ],
  }),
  service_update_tax_zone: async (act, things) => ({ tax_zone_id: await taxZone(act, things), name: 'Another zone' }),
  service_archive_tax_zone: async (act, things) => ({ tax_zone_id: await taxZone(act, things) }),
  service_update_posting_profile: async (act) => {
    await act('service_update_posting_profile', { sales_account: '4010' });
    return { sales_account: '4000' };
  },
  service_change_tax_settings: async (act) => {
    await act('service_change_tax_settings', { country: 'FR' });
    return { country: 'DE' };
  },
  service_create_shipping_zone: async (_act, things) => ({ name: 'A zone', places: [place(things)] }),
  service_update_shipping_zone: async (act, things) => ({
    shipping_zone_id: await shippingZone(act, things),
    name: 'Another zone',
  }),
  service_archive_shipping_zone: async (act, things) => ({ shipping_zone_id: await shippingZone(act, things) }),
  service_create_shipping_option: async (act, things) => ({
    shipping_zone_id: await shippingZone(act, things),
    ...parcel,
  }),
  service_update_shipping_option: async (act, things) => ({
    shipping_option_id: await shippingOption(act, things),
    amount: '6.00',
  }),
  service_archive_shipping_option: async (act, things) => ({ shipping_option_id: await shippingOption(act, things) }),
  service_create_discount: async (_act, { brand, next }) => ({
    name: 'Sale',
    code: `SALE${next()}`,
    kind: 'percentage',
    percentage: '10',
    brand_ids: [brand],
  }),
  service_update_discount: async (act, things) => ({ discount_id: await discount(act, things), name: 'Another sale' }),
  service_archive_discount: async (act, things) => ({ discount_id: await discount(act, things) }),
  service_update_organization: async (_act, { next }) => ({ name: `Renamed ${next()}` }),
  service_invite_member: async (_act, { next }) => ({ email: `new${next()}@example.com`, role: 'viewer' }),
  service_add_machine: async (_act, { next }) => ({ client_id: `robot-${next()}`, role: 'viewer' }),
  service_change_member_role: async (act, { next }) => {
    const client_id = `robot-${next()}`;
    await act('service_add_machine', { client_id, role: 'viewer' });
    return { member: client_id, role: 'developer' };
  },
  service_remove_member: async (act, { next }) => {
    const client_id = `robot-${next()}`;
    await act('service_add_machine', { client_id, role: 'viewer' });
    return { member: client_id };
  },
  service_grant_agent: async (act, { next }) => {
    const agent_id = `assistant-${next()}`;
    await act('service_grant_agent', { agent_id, tiers: ['read'] });
    return { agent_id, pillars: ['crm'], tiers: ['read', 'write'] };
  },
  service_create_webhook: async (_act, things) => hook(things),
  service_retarget_webhook: async (act, things) => ({
    webhook_id: await webhook(act, things),
    url: `https://other${things.next()}.invalid/hook`,
    types: ['crm.contact.created'],
  }),
  service_update_webhook: async (act, things) => ({ webhook_id: await webhook(act, things), per_second: 7 }),
  service_rotate_webhook_secret: async (act, things) => ({ webhook_id: await webhook(act, things) }),
  service_pause_webhook: async (act, things) => ({ webhook_id: await webhook(act, things) }),
  service_resume_webhook: async (act, things) => {
    const webhook_id = await webhook(act, things);
    await act('service_pause_webhook', { webhook_id });
    return { webhook_id };
  },
  service_delete_webhook: async (act, things) => ({ webhook_id: await webhook(act, things) }),
  service_test_webhook: async (act, things) => ({ webhook_id: await webhook(act, things) }),
  service_replay_webhook: async (act, things) => ({
    webhook_id: await webhook(act, things),
    from: '2026-01-01T00:00:00Z',
    until: '2026-01-02T00:00:00Z',
  }),
  service_connect_provider: async (_act, { next }) => ({
    receiver: 'accounting.card_payments',
    provider: 'stripe',
    name: `Till ${next()}`,
    live: false,
  }),
  service_pause_connection: async (act, things) => ({
    connection_id: await things.connected(await connection(act, things), 'active'),
  }),
  service_resume_connection: async (act, things) => ({
    connection_id: await things.connected(await connection(act, things), 'paused'),
  }),
  service_remove_connection: async (act, things) => ({ connection_id: await connection(act, things) }),
  service_connect_channel: async (act, things) => ({
    code: await things.installed(),
    name: `Shop ${things.next()}`,
    location_id: await location(act, things),
  }),
  service_import_channel: async (act, things) => ({ channel_id: await channel(act, things) }),
  service_set_channel_stock: async (act, things) => ({
    channel_id: await things.located(await channel(act, things)),
    stock: 'here',
    shop_location_id: '31',
  }),
  service_set_channel_products: async (act, things) => ({
    channel_id: await things.imported(await channel(act, things)),
    products: 'here',
  }),
  service_publish_to_channel: async (act, things) => ({
    channel_id: await described(act, things),
    product_ids: [await product(act, things)],
  }),
  service_unpublish_from_channel: async (act, things) => {
    const listed = { channel_id: await described(act, things), product_ids: [await product(act, things)] };
    await act('service_publish_to_channel', listed);
    return listed;
  },
  service_disconnect_channel: async (act, things) => ({ channel_id: await channel(act, things) }),
  service_retry_callback_delivery: async (_act, { delivered }) => ({ delivery_id: await delivered('dead') }),
  service_reject_callback_delivery: async (_act, { delivered }) => ({
    delivery_id: await delivered('dead'),
    reason: 'sent by mistake',
  }),
  service_replay_callback_deliveries: async (_act, { delivered }) => ({ delivery_ids: [await delivered('applied')] }),
  service_withdraw_pending_action: async (_act, things) => ({ pending_action_id: await things.pending() }),
};
