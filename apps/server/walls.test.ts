import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { eventsOfRows } from '@steward/verification';
import { mintToken } from '@steward/identity/provider';
import { createLog, listen, newId } from '@steward/kernel';
import { installIn } from '@steward/marketplace/testing';
import { parcel, placeIn, placing } from '@steward/orders/testing';
import { openPool, sql, sqlState, statement, type SqlPool } from '@steward/sql';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { readConfig } from './components.ts';
import { recorded } from './recorded.ts';
import { compose } from './compose.ts';
import { migrationSources } from './migrations.ts';
import { functions, open } from './unwalled.ts';

/** What a door answered, to look into. */
interface Json {
  readonly [key: string]: Json | undefined;
}

interface Column extends Record<string, unknown> {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly key: boolean;
  readonly inserts: boolean;
  readonly updates: boolean;
  readonly deletes: boolean;
}

/** What may stand there, where another value of the type may not, or not alone. */
const values: Readonly<Record<string, string>> = {
  'accounting.feed.account_id': `(select a.account_id from accounting.account a where a.code = '1000')`,
  'accounting.party.email': `'x@example.com'`,
  'accounting.party.customer': 'not customer, supplier = true',
  'accounting.party.supplier': 'not supplier, customer = true',
  'accounting.party.currency': `'GBP'`,
  'accounting.party.tax_id_last4': `'1234'`,
  'accounting.party.vat_number': `'ATU12345678'`,
  'accounting.seller.vat_number': `'ATU12345678'`,
  'accounting.taxpayer.party_id': `(select party_id from accounting.party where name = 'Eve')`,
  'accounting.taxpayer.status': `'failed'`,
  'accounting.taxpayer.classification': `'other'`,
  'accounting.taxpayer.tin_kind': `'ssn'`,
  'accounting.taxpayer.tin_last4': `'1234'`,
  'accounting.taxpayer.box': `'misc_1'`,
  'acp.feed.target_country': `'CA'`,
  'acp.feed.status': `'paused', reason = 'member'`,
  'acp.feed.reason': `'member', status = 'paused'`,
  'agentic.agent.standing': `'shut_out'`,
  'agentic.door.mode': `'live'`,
  'agentic.host.standing': `'released', released_at = clock_timestamp()`,
  'agentic.host.released_at': `clock_timestamp(), standing = 'released'`,
  'approvals.action.state': `'withdrawn', decided_by = 'x', decided_at = clock_timestamp(), settled_at = clock_timestamp()`,
  'approvals.standing_rule.revoked_at': `clock_timestamp(), revoked_by = 'x'`,
  'approvals.standing_rule.revoked_by': `'x', revoked_at = clock_timestamp()`,
  'callbacks.connection.status': `'paused'`,
  'callbacks.connection.proven_at': `clock_timestamp(), account = 'x'`,
  'callbacks.delivery.status': `'ignored'`,
  'callbacks.secret.previous': `'x', previous_until = clock_timestamp()`,
  'callbacks.secret.previous_until': `clock_timestamp(), previous = 'x'`,
  'catalogue.collection.match': `'any'`,
  'catalogue.collection.rules': `'[{"field": "vendor", "operator": "is", "value": "x"}]'`,
  'catalogue.medium.digest': `(select i.digest from catalogue.picture i where i.digest <> catalogue.medium.digest limit 1)`,
  'catalogue.medium.failure': `'x', digest = null`,
  'catalogue.medium.next_at': `clock_timestamp(), digest = null`,
  'catalogue.product.status': `'archived'`,
  'deliveries.endpoint.ordering': `'parallel'`,
  'deliveries.endpoint.status': `'paused', reason = 'member'`,
  'deliveries.endpoint.reason': `'member', status = 'paused'`,
  'marketplace.channel.status': `'disconnected', token = null`,
  'marketplace.channel.stock': `'here', shop_location = '31'`,
  'marketplace.channel.shop_location': `'31'`,
  'marketplace.channel.products': `'here'`,
  'marketplace.channel.token': `'x'`,
  'orders.sales_order.cancel_reason': `'other', cancelled_at = clock_timestamp()`,
  'orders.sales_order.cancelled_at': `clock_timestamp(), cancel_reason = 'other'`,
  'orders.fulfilment.delivery_status': `'delivered'`,
  'orders.letter_setting.new_orders_to': `'[]'`,
  'accounting.seller.language': `'ja'`,
  'orders.payment.state': `'captured'`,
  'orders.payment_request.state': `'refused'`,
  'orders.payment_request.reason': `'x'`,
  'orders.payment_setting.capture_at': `'placement'`,
  'orders.payment_setting.manual_methods': `'[]'`,
  'orders.return.state': `'rejected'`,
  'stock.item.policy': `'continue'`,
};

const otherLine = (table: string): string =>
  `(select l.line_id from orders.line l where l.order_id = ${table}.order_id and l.line_id <> ${table}.line_id)`;

/** Which rows could say something else at all, where not each could. */
const byBill = `order_id in (select order_id from orders.payment where handler = 'manual' and refunded > 0)`;
const fitting: Readonly<Record<string, string>> = {
  'orders.line': 'fulfilled > returned',
  'orders.payment': `state = 'awaiting'`,
  'orders.sales_order': byBill,
  'orders.fulfilment_line': byBill,
};

/** What a copy of a row must say otherwise, beside its key. */
const copied: Readonly<Record<string, string>> = {
  'accounting.account.code': `'9999'`,
  'accounting.account.control': 'null',
  'accounting.blob.sha256': `encode(sha256('x'), 'hex')`,
  'accounting.blob.content': `'x'`,
  'accounting.feed.account_id': 'null',
  'accounting.feed.remote': `'x'`,
  'accounting.rate.currency': `'GBP'`,
  'accounting.tax.name': `'x'`,
  'acp.feed.agent_id': 'gen_random_uuid()',
  'agentic.agent.profile_url': `'https://other.example.com/ucp'`,
  'agentic.credential.key_hash': `sha256('x')`,
  'agentic.door.protocol': `'acp'`,
  'agentic.host.host': `'other.example.com'`,
  'callbacks.secret.connection_id': 'connection_id',
  'callbacks.secret.name': `'x'`,
  'catalogue.collection.handle': `'x'`,
  'catalogue.collection_product.collection_id': `(select c.collection_id from catalogue.collection c where c.rules is null)`,
  'catalogue.collection_product.product_id': 'product_id',
  'catalogue.picture.digest': `encode(sha256('x'), 'hex')`,
  'catalogue.picture_size.digest': 'digest',
  'catalogue.picture_size.fits': '320',
  'catalogue.price.variant_id': 'variant_id',
  'catalogue.price.currency': `'GBP'`,
  'catalogue.price_list_price.price_list_id': 'price_list_id',
  'catalogue.price_list_price.variant_id': 'variant_id',
  'catalogue.product.handle': `'x'`,
  'catalogue.publication.product_id': 'product_id',
  'catalogue.variant.option_values': `'{L}'`,
  'deliveries.secret.endpoint_id': 'endpoint_id',
  'orders.counter.mode': `'test'`,
  'orders.fulfilment.order_id': 'order_id',
  'orders.fulfilment_line.fulfilment_id': 'fulfilment_id',
  'orders.fulfilment_line.line_id': otherLine('fulfilment_line'),
  'orders.line.order_id': 'order_id',
  'orders.line.position': 'position + 100',
  'orders.payment.attempt': 'attempt + 100',
  'orders.payment.checkout_id': 'gen_random_uuid()',
  'orders.payment_operation.source_id': 'gen_random_uuid()',
  'orders.payment_request.source_id': 'gen_random_uuid()',
  'orders.refund.reference': `'x'`,
  'orders.refund.return_id': 'null',
  'orders.refund_line.refund_id': 'refund_id',
  'orders.refund_line.line_id': otherLine('refund_line'),
  'orders.return_line.return_id': 'return_id',
  'orders.return_line.line_id': otherLine('return_line'),
  'orders.sales_order.number': 'number + 100',
  'orders.sales_order.checkout_id': 'gen_random_uuid()',
  'orders.tag.order_id': 'order_id',
  'orders.version.order_id': 'order_id',
  'orders.version.version': 'version + 100',
  'marketplace.channel.shop': `'other.myshopify.com'`,
  'stock.level.mode': `'test'`,
  'stock.level.item_id': 'item_id',
  'stock.level.location_id': 'location_id',
  'stock.location.code': `'x'`,
  'stock.movement.mode': 'mode',
  'stock.movement.source_id': 'gen_random_uuid()',
  'stock.requirement.item_id': 'item_id',
  'stock.reservation.mode': 'mode',
  'stock.reservation.item_id': 'item_id',
  'stock.reservation.location_id': 'location_id',
  'stock.valuation.item_id': `(select i.item_id from stock.item i where i.item_id <> stock.valuation.item_id limit 1)`,
};

function other({ table, column, type }: Column): string {
  const special = values[`${table}.${column}`];
  if (special !== undefined) return special;
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type === 'boolean') return `not coalesce(${column}, false)`;
  if (type === 'date' || type.startsWith('timestamp')) return `coalesce(${column}, now()) + interval '40 days'`;
  if (type === 'bytea') return `sha256(coalesce(${column}, ''))`;
  if (type === 'jsonb') return `${column} || '{"x": 1}'`;
  if (type === 'uuid[]') return `array_append(${column}, gen_random_uuid())`;
  if (type.endsWith('[]')) return `array_append(${column}, 'x')`;
  return type === 'text' ? `coalesce(${column}, '') || 'x'` : `coalesce(${column}, 0) + 1`;
}

describe('what the application’s login writes past the application', () => {
  const stack = new AsyncDisposableStack();
  let db: TestDatabase;
  let admin: SqlPool;
  let login: string;
  let tenant: string | undefined;
  let columns: readonly Column[] = [];
  const compare = eventsOfRows(recorded);
  before(async () => {
    db = stack.use(await createTestDatabase(migrationSources));
    const dataDir = await mkdtemp(join(tmpdir(), 'steward-walls-'));
    stack.defer(async () => rm(dataDir, { recursive: true, force: true }));
    const log = createLog('silent');
    const [listener, internal] = [await listen('127.0.0.1', 0, log), await listen('127.0.0.1', 0, log)];
    const config = readConfig({ DATABASE_URL: db.appUrl, DATA_DIR: dataDir, AUDIT_SEAL: 'off' });
    const addresses = config.addresses(listener.port);
    const application = await compose({
      config,
      dataDir,
      addresses,
      internalUrl: `http://127.0.0.1:${internal.port}`,
      databaseUrl: db.appUrl,
      log,
      listener,
      internal,
      leaving: () => false,
    });
    stack.defer(async () => {
      await Promise.all([listener.close(0), internal.close(0)]);
      await application[Symbol.asyncDispose]();
    });
    listener.open(application.handlePublic);
    const { issuer, ...audiences } = addresses;
    const minted = { dataDir, issuer, audiences: Object.values(audiences), user: 'owner@example.com' };
    const token = await mintToken({ ...minted, approver: true });
    const agent = await mintToken({ ...minted, agent: 'assistant-1' });
    const send = async (by: string, method: string, url: string, body?: unknown): Promise<Json> => {
      const headers = { authorization: `Bearer ${by}`, 'content-type': 'application/json', 'idempotency-key': newId() };
      const answer = await fetch(url, {
        method,
        headers: tenant === undefined ? headers : { ...headers, 'x-tenant-id': tenant },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      assert.ok(answer.ok, `${method} ${url}: ${answer.status} ${answer.ok ? '' : await answer.text()}`);
      return (await answer.json()) as Json;
    };
    const portal = async (method: string, path: string, body?: unknown): Promise<Json> =>
      send(token, method, `${addresses.portal}/api${path}`, body);
    const signup = { organizationName: 'Walled' };
    const { organization } = await send(
      await mintToken(minted),
      'POST',
      `${addresses.portal}/api/external-agent/signup`,
      signup,
    );
    tenant = String(organization?.['id']);
    const policy = { ...(await portal('GET', '/approval-policy')), expiryHours: 10, newPayeeFourEyes: false };
    const most = { amount: '100.00', currency: 'USD' };
    await portal('PUT', '/approval-policy', { ...policy, fourEyesAbove: [most] });
    const use = async (name: string, args: object, area = ''): Promise<Json | undefined> => {
      const params = { name, arguments: args };
      const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { result } = await send(agent, 'POST', `${addresses.mcp}/p/accounting${area}`, asked);
      return result?.['structuredContent'];
    };
    const ask = async (month: string): Promise<unknown> =>
      (await use('service_close_period', { month }))?.['pending_action_id'];
    const vat = await use('service_create_tax_rate', { name: 'VAT', percentage: '20' });
    assert.equal(String(vat?.['status']), 'ok');
    const approve = async (id: unknown): Promise<Json> => {
      const { previewHash } = await portal('GET', `/pending-actions/${String(id)}`);
      return portal('POST', `/pending-actions/${String(id)}/approve`, { previewHash });
    };
    for (const [name, args] of [
      ['service_set_exchange_rate', { currency: 'EUR', day: '2026-03-01', rate: '1.1' }],
      ['service_update_seller', { address: 'Ring 1' }],
    ] as const) {
      const asked = await use(name, args, '/books');
      assert.equal(String((await approve(asked?.['pending_action_id']))['state']), 'executed', name);
    }
    const suppliers: Json[] = [];
    for (const name of ['Ada', 'Eve'])
      suppliers.push((await use('service_create_party', { name, supplier: true })) as Json);
    const partyId = String(suppliers[0]?.['data']?.['party']?.['id']);
    const tin = { kind: 'ein', number: '12-3456789' };
    const w9 = { status: 'received', legalName: 'Ada', classification: 'individual', tin };
    await send(token, 'PUT', `${addresses.accounting}/api/parties/${partyId}/w9`, w9);
    const rent = {
      date: '2026-04-15',
      currency: 'USD',
      narration: 'Rent',
      lines: [
        { account: '6300', debit: '12.50' },
        { account: '1000', credit: '12.50' },
      ],
    };
    const asked = (await use('service_post_journal_entry', rent))?.['pending_action_id'];
    const shown = await portal('GET', `/pending-actions/${String(asked)}`);
    const done = await portal('POST', `/pending-actions/${String(asked)}/approve`, {
      previewHash: shown['previewHash'],
    });
    assert.equal(String(done['state']), 'executed');
    const query = 'mutation ($input: JournalEntryInput!) { postJournalEntry(input: $input) { id } }';
    const { errors, data } = await send(token, 'POST', `${addresses.accounting}/graphql`, {
      query,
      variables: { input: rent },
    });
    assert.equal(errors, undefined);
    const receipt = { file_name: 'receipt.txt', media_type: 'text/plain', content_base64: 'UmVudA==' };
    const target = { target_kind: 'entry', target_id: String(data?.['postJournalEntry']?.['id']) };
    assert.equal(String((await use('service_attach_file', { ...target, ...receipt }))?.['status']), 'ok');
    const shop = async (method: string, path: string, body: unknown): Promise<Json> =>
      send(token, method, `${addresses.commerce}/api${path}`, body);
    const brand = await portal('POST', '/brands', { name: 'Shop' });
    const price = { amount: '19.00', compareAt: '25.00', currency: 'EUR' };
    const { products } = await shop('POST', '/products', {
      products: [
        {
          title: 'Shirt',
          vendor: 'Loom',
          tags: ['linen'],
          status: 'active',
          options: ['Size'],
          variants: [{ options: { Size: 'M' }, sku: 'S-M', weightGrams: 200, prices: [price] }],
          brandIds: [brand['id']],
        },
        { title: 'Voucher' },
      ],
    });
    const rules = [{ field: 'vendor', operator: 'is', value: 'Loom' }];
    for (const given of [{ title: 'By Loom', rules }, { title: 'By hand' }]) await shop('POST', '/collections', given);
    const { id: productId } = (products as unknown as readonly Json[])[0] ?? {};
    const { variants } = await shop('GET', `/products/${String(productId)}`, undefined);
    const variantId = String((variants as unknown as readonly Json[])[0]?.['id']);
    const list = await shop('POST', '/price-lists', { name: 'Sale', currency: 'EUR' });
    const listed = [{ variantId, prices: [{ amount: '17.00' }] }];
    await shop('POST', `/price-lists/${String(list['id'])}/prices`, { variants: listed });
    for (const gif of [
      'R0lGODlhAwACAIAAAExpccwzMyH5BAUAAAAALAAAAAADAAIAAAICjF8AOw==',
      'R0lGODdhAQABAIABAAAAAP///ywAAAAAAQABAAACAkQBADs=',
    ]) {
      const uploaded: Response = await fetch(`${addresses.commerce}/api/products/${String(productId)}/media`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenant, 'content-type': 'image/gif' },
        body: Buffer.from(gif, 'base64'),
      });
      assert.equal(uploaded.status, 201, await uploaded.text());
    }
    await shop('POST', '/locations', { name: 'Warehouse', code: 'warehouse' });
    await shop('POST', '/stock/adjustments', {
      lines: [{ variantId, delta: 10, cost: { amount: '33.00', currency: 'USD' } }],
      reason: 'found',
    });
    const voucher = await shop(
      'GET',
      `/products/${String((products as unknown as readonly Json[])[1]?.['id'])}`,
      undefined,
    );
    const [{ id: unvalued } = {}] = voucher['variants'] as unknown as readonly Json[];
    await shop('POST', '/stock/counts', { lines: [{ variantId: unvalued, counted: 1 }] });
    await shop('POST', '/stock/expectations', { lines: [{ variantId, incoming: 5 }] });
    const ordered = await placeIn(
      { url: db.appUrl, dataDir, tenant: String(tenant) },
      placing([{ variantId, quantity: 4 }, {}], { shipping: parcel, currency: 'USD' }),
      { handler: 'manual', method: 'invoice' },
    );
    await shop('PATCH', '/payment-settings', { captureAt: 'fulfilment' });
    const ofBrand = `/brands/${String(brand['id'])}`;
    await shop('PATCH', `${ofBrand}/letters`, { replyTo: 'help@shop.example', newOrdersTo: ['orders@shop.example'] });
    await shop('POST', `${ofBrand}/signing-keys`, {});
    await shop('PATCH', `${ofBrand}/agentic-commerce`, { protocol: 'ucp', active: true });
    await shop('POST', `${ofBrand}/hosts`, { host: 'shop.example.com' });
    await shop('POST', `${ofBrand}/trusted-agents`, { protocol: 'ucp', profileUrl: 'https://agent.example.com/ucp' });
    const platform = await shop('POST', `${ofBrand}/agent-credentials`, { profileUrl: 'https://agent.example.com/' });
    const feed = await shop('PUT', `/shopping-agents/${String(platform['agentId'])}/feed`, {
      url: 'https://feeds.invalid/acp',
    });
    await shop('PUT', `/agent-feeds/${String(feed['id'])}/token`, { token: 'token-of-the-brand', url: feed['url'] });
    const lineId = ordered.lines[0]?.id;
    await shop('POST', `/orders/${ordered.id}/edits`, {
      version: 1,
      shippingAddress: { line1: 'Torstr. 2', city: 'Berlin', postcode: '10119', country: 'DE' },
    });
    await shop('PATCH', `/orders/${ordered.id}`, { note: 'Call first', tags: ['gift'] });
    await shop('POST', `/orders/${ordered.id}/fulfilments`, {
      lines: [{ lineId, quantity: 3 }],
      carrier: 'DHL',
      trackingNumber: 'JD014',
      trackingUrl: 'https://track.example.com/JD014',
    });
    // All but a part of what comes back of it.
    const some = { amount: '95.00', currency: 'USD' };
    await shop('POST', `/orders/${ordered.id}/payments/received`, { amount: some });
    const { id: returnId } = await shop('POST', `/orders/${ordered.id}/returns`, {
      lines: [{ lineId, quantity: 2 }],
    });
    await shop('POST', `/returns/${String(returnId)}/approve`, {});
    await shop('POST', `/returns/${String(returnId)}/receive`, { lines: [{ lineId, received: 1 }] });
    const shipping = { amount: '1.00', currency: 'USD' };
    await shop('POST', `/orders/${ordered.id}/refunds`, { returnId, shipping, reference: 'R-1' });
    const hook = { url: 'https://hooks.invalid/steward', types: ['commerce.order.placed'], signing: 'ed25519' };
    await portal('POST', '/webhooks', { ...hook, description: 'Warehouse', perSecond: 5 });
    // Another one of which a part is paid.
    const { id: inPart } = await placeIn(
      { url: db.appUrl, dataDir, tenant: String(tenant) },
      placing([{}], { currency: 'USD' }),
      {
        handler: 'manual',
        method: 'invoice',
      },
    );
    await shop('POST', `/orders/${inPart}/payments/received`, { amount: shipping });
    // Another one by card, whose provider is asked to capture it.
    const byCard = await placeIn(
      { url: db.appUrl, dataDir, tenant: String(tenant) },
      placing([{}], { currency: 'USD' }),
      { handler: 'card', method: 'card' },
    );
    await shop('POST', `/orders/${byCard.id}/fulfilments`, {});
    const id = await ask('2026-02-15');
    const { previewHash } = await portal('GET', `/pending-actions/${String(id)}`);
    await portal('POST', `/pending-actions/${String(id)}/approve`, { previewHash });
    await portal('POST', '/invitations', { email: 'one@example.com', role: 'viewer' });
    await portal('POST', '/agent-grants', { agentId: 'clerk' });
    await ask('2026-03-15');
    const validUntil = new Date(Date.now() + 86_400_000).toISOString();
    await portal('POST', '/standing-rules', { tool: 'service_close_period', validUntil });
    login = new URL(db.appUrl).username;
    admin = stack.use(openPool({ url: db.adminUrl, size: 1 }));
    // A charge that a gateway tells of, which needs nothing to be asked of it.
    const till = { receiver: 'accounting.gateway_payments', provider: 'adyen', name: 'Till', live: true };
    const connection = String((await portal('POST', '/connections', till))['id']);
    const key = 'ab'.repeat(32);
    await portal('PUT', `/connections/${connection}/secrets`, { secrets: { signing: key } });
    const signed = ['PSP1', '', 'Till', 'INV-1', '1000', 'USD', 'AUTHORISATION', 'true'];
    const [pspReference, originalReference, merchantAccountCode, merchantReference, , , eventCode, success] = signed;
    const hmacSignature = createHmac('sha256', Buffer.from(key, 'hex')).update(signed.join(':')).digest('base64');
    const item = { pspReference, originalReference, merchantAccountCode, merchantReference, eventCode, success };
    const amount = { value: 1_000, currency: 'USD' };
    const NotificationRequestItem = { ...item, amount, additionalData: { hmacSignature } };
    await send(token, 'POST', `${addresses.accounting}/webhooks/gateway_payments?c=${connection}`, {
      live: 'true',
      notificationItems: [{ NotificationRequestItem }],
    });
    while ((await admin.query(sql`select from accounting.feed`)).length === 0) await sleep(50);
    await send(token, 'POST', `${addresses.commerce}/api/channels`, {
      code: await installIn({ url: db.appUrl, dataDir }, 'walled.myshopify.com'),
    });
    // By the function that is called for carts.
    await admin.withClient(async (client) => {
      await client.query('begin');
      await client.query(`set local session authorization ${login}`);
      await client.query(`set local app.tenant_id = '${tenant}'`);
      const lines = `array['${variantId}']::uuid[], array[2]::bigint[]`;
      await client.query(`select stock.reserve('${newId()}', 'live', ${lines}, now() + interval '1 hour', 'x', null)`);
      await client.query('commit');
    });
    columns = await admin.query<Column>(
      statement(
        `select c.oid::regclass::text as table, a.attname as column, format_type((select coalesce(nullif(t.typbasetype, 0), t.oid) from pg_type t where t.oid = a.atttypid), null) as type,
         exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)) as key,
         has_column_privilege($1, c.oid, a.attnum, 'insert') as inserts, has_column_privilege($1, c.oid, a.attnum, 'update') as updates,
         has_table_privilege($1, c.oid, 'delete') as deletes
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         and a.attidentity = '' and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
         and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
       order by 1, a.attnum`,
        [login],
      ),
    );
  });
  after(async () => {
    await stack.disposeAsync();
  });

  /** What the login may do to a table by its privileges, each as the list names it. */
  function attempts(): { readonly table: string; readonly name: string; readonly text: string }[] {
    return [...Map.groupBy(columns, ({ table }) => table)].flatMap(([table, own]) => {
      const where = `ctid = (select ctid from ${table} where tenant_id = '${tenant}' and ${fitting[table] ?? 'true'} limit 1)`;
      const changes = own
        .filter(({ updates }) => updates)
        .map((one) => ({
          table,
          name: `${table}.${one.column}`,
          text: `update ${table} set ${one.column} = ${other(one)} where ${where}`,
        }));
      const given = own.filter(({ inserts }) => inserts);
      const names = given.map(({ column }) => column).join(', ');
      const copies = given
        .map(
          (one) =>
            copied[`${one.table}.${one.column}`] ?? (one.key && one.column !== 'tenant_id' ? other(one) : one.column),
        )
        .join(', ');
      const inserted = {
        table,
        name: `${table} insert`,
        text: `insert into ${table} (${names}) select ${copies} from ${table} where ${where}`,
      };
      const deleted = { table, name: `${table} delete`, text: `delete from ${table} where ${where}` };
      return [...changes, ...(given.length > 0 ? [inserted] : []), ...(own[0]?.deletes === true ? [deleted] : [])];
    });
  }

  /** `refused` by the database, `told` by verification, or what else became of it. */
  const outcome = async (text: string, table?: string): Promise<string> =>
    admin.withClient(async (client) => {
      await client.query('begin');
      try {
        await client.query(`set local session authorization ${login}`);
        await client.query(`set local app.tenant_id = '${tenant}'`);
        const { rowCount } = await client.query(text);
        await client.query('reset session authorization');
        if (rowCount === 0) return 'nothing was there to change: let the world have a row of it';
        await client.query(`set local role ${db.name}_job_audit_verifier`);
        const asked = { ownerUrl: db.ownerUrl, client, tenant: undefined };
        // What is about the table first: one finding is enough.
        const about = recorded.filter((one) => table !== undefined && JSON.stringify(one).includes(table));
        for (const one of about) if ((await eventsOfRows([one])(asked)).length > 0) return 'told';
        return (await compare(asked)).length > 0 ? 'told' : 'unseen';
      } catch (error) {
        return sqlState(error) === '42501' ? 'refused' : (error as Error).message;
      } finally {
        await client.query('rollback');
      }
    });

  test('is refused by the database or told by verification, for each table, column and statement but those of one list', async (t) => {
    const all = attempts();
    const known = new Set(all.flatMap(({ table, name }) => [table, name]));
    assert.deepEqual(
      Object.keys(open).filter((name) => !known.has(name)),
      [],
      'listed, and not there',
    );
    assert.equal(await outcome('select'), 'unseen', 'where nothing was written, nothing is told');
    assert.equal(await outcome(`update portal.tenant set name = 'x'`), 'refused');
    const left: string[] = [];
    const counted = { refused: 0, told: 0 };
    const tried = all.filter(({ table, name }) => open[table] === undefined && open[name] === undefined);
    for (const { table, name, text } of tried) {
      const came = await outcome(text, table);
      if (came === 'refused' || came === 'told') counted[came] += 1;
      else left.push(`${name}: ${came}`);
    }
    t.diagnostic(`${all.length} statements, ${counted.refused} refused, ${counted.told} told by verification`);
    assert.deepEqual(left, []);
  });

  test('what counts against limits is told of by the entries that it follows from, whoever writes it', async () => {
    const rows = await admin.query<{ id: string; action: boolean }>(sql`
      select o.outflow_id as id, exists (select from approvals.action a where a.action_id = o.outflow_id) as action from approvals.outflow o`);
    assert.deepEqual(rows.map(({ action }) => action).toSorted(), [false, false, true]);
    const aboutOutflow = eventsOfRows(recorded.filter((one) => JSON.stringify(one).includes('approvals.outflow')));
    const asOwner = async (text: string): Promise<number> =>
      admin.withClient(async (client) => {
        await client.query('begin');
        try {
          await client.query('alter table approvals.outflow disable trigger all');
          const { rowCount } = await client.query(text);
          assert.equal(rowCount, 1, text);
          await client.query(`set local role ${db.name}_job_audit_verifier`);
          return (await aboutOutflow({ ownerUrl: db.ownerUrl, client, tenant: undefined })).length;
        } finally {
          await client.query('rollback');
        }
      });
    const unseen: string[] = [];
    for (const { id, action } of rows) {
      const of = `where outflow_id = '${id}'`;
      for (const change of [
        `set outflow_id = gen_random_uuid()`,
        `set tenant_id = gen_random_uuid()`,
        `set currency = 'CHF'`,
        `set taken = taken - 1`,
        `set owed = owed + 1`,
        `set at = at - interval '1 day'`,
        // Of what a person did at once, it is the door's own word.
        ...(action ? [`set tool = 'x'`] : [`set taken = taken + 1`]),
      ])
        if ((await asOwner(`update approvals.outflow ${change} ${of}`)) === 0) unseen.push(`${change} ${action}`);
      if ((await asOwner(`delete from approvals.outflow ${of}`)) === 0) unseen.push(`delete ${action}`);
    }
    const added = `insert into approvals.outflow (tenant_id, outflow_id, currency, tool, taken, owed) select tenant_id, gen_random_uuid(), currency, tool, 1, 0
      from approvals.outflow limit 1`;
    if ((await asOwner(added)) === 0) unseen.push('insert');
    assert.deepEqual(unseen, []);
  });

  test('goes through no function with other rights that is not reviewed', async () => {
    const rows = await admin.query<{ name: string }>(
      statement(
        `select distinct n.nspname || '.' || p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname not in ('pg_catalog', 'information_schema') and p.prosecdef and p.provolatile = 'v'
         and has_function_privilege($1, p.oid, 'execute') order by 1`,
        [login],
      ),
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(functions).toSorted(),
    );
  });
});
