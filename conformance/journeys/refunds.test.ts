import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { placeIn, placing } from '@steward/orders/testing';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { actingIn } from '../binding/acting.ts';
import { createWorld, everyCommand, type Json, type World } from '../world/index.ts';

const user = 'owner@example.com';
const dollars = (amount: string) => ({ amount, currency: 'USD' });
const none = { treatment: 'none', taxId: null, percentage: 0n } as const;
/** Of one piece at 100 USD, without tax, which would have to be one of the books. */
function sold(currency = 'USD') {
  const order = placing([{ unitPrice: 10_000n }], { currency });
  return {
    ...order,
    lines: order.lines.map((line) => ({ ...line, net: line.total, tax: 0n, taxed: none })),
    net: order.total,
    tax: 0n,
    taxes: [{ ...none, net: order.total, tax: 0n }],
  };
}

describe('money that orders give back', () => {
  let world: World;
  let person: string;
  let admin: SqlPool;
  before(async () => {
    world = await createWorld();
    person = await world.token({ user, approver: true });
    admin = openPool({ url: world.db.adminUrl, size: 1 });
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
  });

  for (const mode of ['post', 'drafts'])
    test(`counts once against the limit of a day, also when it gets into the books: mode ${mode}`, async () => {
      const { tenant } = await world.signUp(user, `Shop ${mode}`, { defaultCurrency: 'USD' });
      const { portal, commerce } = world.server.addresses;
      const ask = async (method: string, url: string, body?: unknown): Promise<Json> => {
        const answer = await world.call(url, { token: person, tenant, method, body });
        if (answer.status >= 500) throw new Error(JSON.stringify(answer.body));
        return answer.body;
      };
      const shop = async (method: string, path: string, body?: unknown) => ask(method, `${commerce}/api${path}`, body);
      const policy = await ask('GET', `${portal}/api/approval-policy`);
      await ask('PUT', `${portal}/api/approval-policy`, {
        ...policy,
        fourEyesAbove: [dollars('100.00')],
        newPayeeFourEyes: false,
      });
      await shop('PATCH', '/posting-profile', { mode });
      const { id } = await placeIn({ url: world.db.appUrl, dataDir: world.dataDir, tenant }, sold(), {
        handler: 'manual',
        method: 'invoice',
      });
      await shop('POST', `/orders/${id}/payments/received`, {});
      const refund = async (amount: string): Promise<unknown> => {
        const { code = null } = await shop('POST', `/orders/${id}/refunds`, {
          reason: 'other',
          adjustment: dollars(amount),
        });
        return code;
      };
      /** Returns once all that the order owes is in the books. */
      const booked = async (many: number): Promise<void> => {
        for (let round = 0; round < 200; round += 1) {
          const all = (await shop('GET', `/order-postings?orderId=${id}`))['items'] as unknown as Json[];
          const waits = all.find(({ reason }) => String(reason) === 'approval_required');
          assert.equal(waits, undefined, 'the books ask again for what was decided');
          if (all.length === many && all.every(({ state }) => String(state) === 'posted')) return;
          if (mode === 'drafts')
            for (const kind of ['invoice', 'payment', 'refund'])
              for (const one of all.filter((each) => String(each['kind']) === kind))
                await shop('POST', `/order-postings/${String(one['id'])}/carry-out`, {});
          await setTimeout(100);
        }
        throw new Error('the books did not get it');
      };
      assert.equal(await refund('60.00'), null);
      await booked(3);
      assert.equal(await refund('40.01'), 'refund_exceeds_captured');
      assert.equal(await refund('40.00'), null);
      await booked(4);
      const [{ out, owed } = { out: '', owed: '' }] = await admin.query<{ out: string; owed: string }>(sql`
        select sum(taken)::text as out, sum(owed)::text as owed from approvals.outflow where tenant_id = ${tenant}::uuid`);
      assert.deepEqual([out, owed], ['10000', '0']);
      const other = await placeIn({ url: world.db.appUrl, dataDir: world.dataDir, tenant }, sold(), {
        handler: 'manual',
        method: 'invoice',
      });
      await shop('POST', `/orders/${other.id}/payments/received`, {});
      const { code } = await shop('POST', `/orders/${other.id}/refunds`, {
        reason: 'other',
        adjustment: dollars('0.01'),
      });
      assert.equal(String(code), 'approval_required');
    });

  test('counts by its worth in the currency of the books too', async () => {
    const { tenant } = await world.signUp(user, 'Shop abroad', { defaultCurrency: 'USD' });
    const { portal, commerce } = world.server.addresses;
    const ask = async (method: string, url: string, body?: unknown): Promise<Json> =>
      (await world.call(url, { token: person, tenant, method, body })).body;
    const policy = await ask('GET', `${portal}/api/approval-policy`);
    const limits = ['EUR', 'USD'].map((currency) => ({ amount: '100.00', currency }));
    await ask('PUT', `${portal}/api/approval-policy`, { ...policy, fourEyesAbove: limits, newPayeeFourEyes: false });
    const commands = await everyCommand(world, tenant, await world.token({ user, agent: 'assistant-1' }));
    const rate = commands.find(({ name }) => name === 'Mutation.setExchangeRate');
    const { code } = (await rate?.call(person, { currency: 'EUR', day: '2026-01-01', rate: '2' })) ?? {};
    assert.equal(code, 'done');
    const at = { url: world.db.appUrl, dataDir: world.dataDir, tenant };
    const { id } = await placeIn(at, sold('EUR'), { handler: 'manual', method: 'invoice' });
    await ask('POST', `${commerce}/api/orders/${id}/payments/received`, {});
    const refund = async (amount: string): Promise<string> => {
      const adjustment = { amount, currency: 'EUR' };
      const answer = await ask('POST', `${commerce}/api/orders/${id}/refunds`, { reason: 'other', adjustment });
      return String(answer['code'] ?? 'done');
    };
    assert.equal(await refund('50.01'), 'approval_required');
    assert.equal(await refund('50.00'), 'done');
    assert.equal(await refund('0.01'), 'approval_required');
  });

  test('counts what buyers owe and a person gives up, as a credit would', async () => {
    const generous = 'generous@example.com';
    const token = await world.token({ user: generous, approver: true });
    const { tenant } = await world.signUp(generous, 'Generous shop', { defaultCurrency: 'USD' });
    const { portal, commerce } = world.server.addresses;
    const ask = async (method: string, url: string, body?: unknown): Promise<Json> =>
      (await world.call(url, { token, tenant, method, body })).body;
    const policy = await ask('GET', `${portal}/api/approval-policy`);
    await ask('PUT', `${portal}/api/approval-policy`, {
      ...policy,
      fourEyesAbove: [dollars('100.00')],
      newPayeeFourEyes: false,
    });
    const at = { url: world.db.appUrl, dataDir: world.dataDir, tenant };
    const giveUp = async (): Promise<string> => {
      const { id } = await placeIn(at, sold(), { handler: 'manual', method: 'invoice' });
      const answer = await ask('POST', `${commerce}/api/orders/${id}/payments/void`, {});
      return String(answer['code'] ?? 'done');
    };
    assert.equal(await giveUp(), 'done');
    assert.equal(await giveUp(), 'approval_required');
  });

  test('is recorded, where it arrives after its payment was given up, as a person approved it', async () => {
    const late = 'late@example.com';
    const { act, call, tenant, things } = await actingIn(world, late, 'Late shop');
    const { order_id } = await things.order(undefined, 'live', 'invoice');
    await act('service_void_order_payment', { order_id });
    const { payments } = await act('service_list_order_payments', { order_id });
    const arrived = await call('service_record_order_payment', { order_id, amount: dollars('1.00') });
    assert.match(String(arrived['summary']), /1\.00 USD arrived/);
    const path = `${world.server.addresses.portal}/api/pending-actions/${String(arrived['pending_action_id'])}`;
    const token = await world.token({ user: late, approver: true });
    const seen = await world.call(path, { token, tenant });
    const decided = await world.call(`${path}/approve`, {
      token,
      tenant,
      body: { previewHash: seen.body['previewHash'] },
    });
    assert.equal(String(decided.body['state']), 'executed', JSON.stringify(decided.body));
    const after = (await act('service_list_order_payments', { order_id }))['payments'] as unknown as Json[];
    assert.equal(after.length, (payments as unknown as Json[]).length + 1);
    assert.equal(String(after.at(-1)?.['captured']?.['amount']), '1.00');
  });

  test('is held to the log with what limits have counted', async () => {
    const { code, out } = await world.command(['audit', 'verify']);
    assert.equal(code, 0, out);
  });
});
