import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Answer, createWorld, hireAgent, type Json, type World } from '@steward/conformance/world';
import { openPool, sql, type SqlPool } from '@steward/sql';

const owner = 'archives@example.com';
const { paths } = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>>;
};

/** Every table that names a brand, and what ends there with the brand. A new one is looked at, and entered. */
const named: Readonly<Record<string, string>> = {
  'acp.feed': 'is read at the door',
  'acp.payment_token': 'is used at the door',
  'agentic.agent': 'comes to the door',
  'agentic.credential': 'is shown at the door',
  'agentic.door': 'closed',
  'agentic.host': 'leads to the door',
  'agentic.signing_key': 'signs what the door answers',
  'catalogue.medium': 'a logo, also of letters about what was sold',
  'catalogue.price_list': 'prices of what sites and doors show',
  'catalogue.publication': 'what sites and doors show',
  'checkout.cart': 'is asked for with a key or at a door',
  'checkout.session': 'is asked for with a key or at a door',
  'deliveries.endpoint': 'tells agents of the orders that they placed',
  'marketplace.channel': 'keeps the brand in use until it is disconnected',
  'orders.letter_setting': 'letters about what was sold',
  'orders.sales_order': 'what was sold',
  'portal.brand': 'archived',
  'studio.site': 'disabled',
};

describe('an archived brand', () => {
  let world: World;
  let admin: SqlPool;
  let tenant: string;
  let token: string;
  let brandId: string;
  let siteId: string;
  let key: string;
  const person = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, { token, tenant, method, body });

  before(async () => {
    world = await createWorld();
    admin = openPool({ url: world.db.adminUrl, size: 1 });
    ({ tenant } = await world.signUp(owner));
    token = await world.token({ user: owner, approver: true });
    brandId = String((await person('POST', '/brands', { name: 'Outlet' })).body['id']);
    await using studio = await hireAgent(world, owner, 'studio');
    const { site } = await studio.call('service_create_site', { name: 'Outlet', brand_id: brandId });
    siteId = String(site?.['id']);
    const { sdk_key } = await studio.call('service_issue_sdk_key', { site_id: siteId, mode: 'test' });
    key = String(sdk_key?.['key']);
    const at = `${world.server.addresses.commerce}/api/brands/${brandId}`;
    await world.call(`${at}/signing-keys`, { token, tenant, body: {} });
    for (const protocol of ['ucp', 'acp'])
      await world.call(`${at}/agentic-commerce`, { token, tenant, method: 'PATCH', body: { protocol, active: true } });
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
  });

  /** What each address answers that a visitor with the key of the site, or an agent, may ask. */
  async function asked(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const { origin } = new URL(world.server.addresses.commerce);
    for (const [path, methods] of Object.entries(paths)) {
      const keyed = path.startsWith('/commerce/storefront/v1/');
      if (!keyed && !/^\/commerce\/(?:ucp|acp)\/\{brandId\}/.test(path)) continue;
      for (const method of Object.keys(methods)) {
        const address = path
          .replace('{brandId}', brandId)
          .replaceAll(/\{\w+\}/g, '0198a6c2-0000-7000-8000-000000000000');
        const answer = await fetch(`${origin}${address}`, {
          method: method.toUpperCase(),
          headers: keyed ? { 'x-service-sdk-key': key } : {},
        });
        await answer.body?.cancel();
        found.set(`${method} ${path}`, answer.status);
      }
    }
    return found;
  }

  test('sells nothing any more from that moment: its sites are disabled and its doors closed, and the log says so', async () => {
    const before = await asked();
    assert.ok(before.size > 50, String(before.size));
    const refused = (statuses: Map<string, number>, keyed: boolean) =>
      [...statuses].filter(([path]) => path.includes('/storefront/') === keyed).map(([, status]) => status);
    assert.ok(refused(before, true).every((status) => status !== 401));
    assert.ok(before.get('get /commerce/ucp/{brandId}/.well-known/ucp') === 200);
    assert.equal((await person('DELETE', `/brands/${brandId}`)).status, 204);
    const after = await asked();
    assert.deepEqual([...new Set(refused(after, true))], [401]);
    assert.deepEqual([...new Set(refused(after, false))], [404]);
    const { body } = await world.call(`${world.server.addresses.accounting}/api/audit/events?limit=500`, {
      token,
      tenant,
    });
    const types = (body['items'] as unknown as Json[])
      .toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']))
      .map(({ type }) => type);
    assert.deepEqual(types.slice(-5), [
      'studio.site.updated',
      'studio.site.disabled',
      'agentic.door.configured',
      'agentic.door.configured',
      'portal.brand.archived',
    ]);
  });

  test('is served again by nothing: a site of it is enabled with a brand in use alone, and its doors stay closed', async () => {
    await using studio = await hireAgent(world, owner, 'studio');
    await assert.rejects(studio.call('service_update_site', { site_id: siteId, status: 'active' }), /brand_archived/);
    const opened = await world.call(`${world.server.addresses.commerce}/api/brands/${brandId}/agentic-commerce`, {
      token,
      tenant,
      method: 'PATCH',
      body: { protocol: 'ucp', active: true },
    });
    assert.equal(opened.status, 404);
    const { items } = (await person('GET', '/brands')).body as unknown as { items: Json[] };
    const { site } = await studio.call('service_update_site', {
      site_id: siteId,
      status: 'active',
      brand_id: items[0]?.['id'],
    });
    assert.deepEqual([site?.['status'], site?.['brand_id']], ['active', items[0]?.['id']]);
  });

  test('goes on to write about what it sold, so who is told of that can be changed', async () => {
    const letters = `${world.server.addresses.commerce}/api/brands/${brandId}/letters`;
    const set = { token, tenant, method: 'PATCH', body: { replyTo: null, newOrdersTo: [] } };
    assert.deepEqual((await world.call(letters, set)).body['newOrdersTo'], []);
  });

  test('is not archived while a shop elsewhere sells under it, for its orders belong in the books', async () => {
    const other = String((await person('POST', '/brands', { name: 'Elsewhere' })).body['id']);
    await admin.query(sql`
      insert into marketplace.channel (tenant_id, channel_id, provider, shop, name, brand_id, location_id, status, token, scopes)
      values (${tenant}::uuid, gen_random_uuid(), 'shopify', 'else.myshopify.com', 'Else', ${other}::uuid, gen_random_uuid(), 'connected', '\\x00', '{}')`);
    const kept = await person('DELETE', `/brands/${other}`);
    assert.deepEqual([kept.status, kept.body['code']], [409, 'brand_in_use']);
    assert.match(String(kept.body['detail']), /“Else” sells under this brand\. Disconnect it/);
    await admin.query(
      sql`update marketplace.channel set status = 'disconnected', token = null where brand_id = ${other}::uuid`,
    );
    assert.equal((await person('DELETE', `/brands/${other}`)).status, 204);
  });

  test('is named by no table whose rows somebody has not looked at', async () => {
    const rows = await admin.query<{ name: string }>(sql`
      select table_schema || '.' || table_name as name from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where column_name = 'brand_id' and table_type = 'BASE TABLE' order by 1`);
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(named),
    );
  });
});
