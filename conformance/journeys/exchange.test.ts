import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorld, type Answer, type Json, type World } from '@steward/conformance/world';
import { placeIn, placing } from '@steward/orders/testing';
import { openPool, sql } from '@steward/sql';
import { actingIn, type Acting } from '../binding/acting.ts';

type Args = Readonly<Record<string, unknown>>;

const user = 'owner@example.com';
/** The bank's account in euros, of books in dollars; 1000 is theirs in dollars. */
const inEuro = '1810';
const inDollars = '1000';

describe('what is owed in another currency', () => {
  let world: World;
  let acting: Acting;
  let ada: string;
  let approver: string;
  let day = 0;
  before(async () => {
    world = await createWorld();
    acting = await actingIn(world, user, 'Abroad');
    ada = String((await acting.act('service_create_party', { name: 'Ada', customer: true }))['party']?.['id']);
    const content = `code,name,type,currency\n${inEuro},Bank in euros,bank,EUR`;
    await acting.act('service_import_chart_of_accounts', { content });
    approver = await world.token({ user, approver: true });
    const { body } = await portal('GET', '/approval-policy');
    // Whatever brings down what is owed in the currency of the books takes two people.
    const policy = { ...body, fourEyesAbove: [{ amount: '0.00', currency: 'USD' }], newPayeeFourEyes: false };
    assert.equal((await portal('PUT', '/approval-policy', { ...policy, soleApprover: false })).status, 200);
    const invited = await portal('POST', '/invitations', { email: 'second@example.com', role: 'accountant' });
    await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
      token: await world.token({ user: 'second@example.com', approver: true }),
      body: { secret: invited.body['secret'] },
    });
  });
  after(async () => world[Symbol.asyncDispose]());

  const portal = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, { token: approver, tenant: acting.tenant, method, body });
  /** The next day, with a rate of its own. */
  const valued = async (rate: string): Promise<string> => {
    day += 1;
    const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
    await acting.act('service_set_exchange_rate', { currency: 'EUR', day: date, rate });
    return date;
  };
  const issued = async (amount: string, date: string): Promise<string> => {
    const lines = amount.split('+').map((unit_price) => ({ description: 'Work', unit_price, account: '4000' }));
    const draft = { party_id: ada, issue_date: date, currency: 'EUR', lines };
    const { document } = await acting.act('service_create_invoice', draft);
    await acting.act('service_issue_document', { document_id: document?.['id'] });
    return String(document?.['id']);
  };
  const receipt = (account: string, date: string, amount: string, invoice?: string): Args => ({
    direction: 'received',
    party_id: ada,
    account,
    date,
    currency: 'EUR',
    amount,
    ...(invoice === undefined ? {} : { allocations: [{ document_id: invoice, amount }] }),
  });
  const allocation = (credit: unknown, date: string, amount: string, invoice: string): Args => ({
    credit_id: credit,
    date,
    allocations: [{ document_id: invoice, amount }],
  });
  const proposed = async (name: string, args: Args): Promise<{ id: string; needed: number; hash: unknown }> => {
    const answer = await acting.call(name, args);
    assert.equal(String(answer['status']), 'pending_approval', `${name}: ${JSON.stringify(answer)}`);
    const id = String(answer['pending_action_id']);
    const { body } = await portal('GET', `/pending-actions/${id}`);
    return { id, needed: Number(body['approvalsNeeded']), hash: body['previewHash'] };
  };
  /** What gives nothing up: one person approves it. */
  const done = async (name: string, args: Args): Promise<Json> => {
    const { id, needed, hash } = await proposed(name, args);
    assert.equal(needed, 1, `${name} ${JSON.stringify(args)}`);
    const { body } = await portal('POST', `/pending-actions/${id}/approve`, { previewHash: hash });
    assert.equal(String(body['state']), 'executed', JSON.stringify(body));
    return (body['result']?.['data'] ?? {}) as Json;
  };
  const carriedOutByTwo = async (
    { id, hash }: { readonly id: string; readonly hash: unknown },
    between = async (): Promise<void> => undefined,
  ): Promise<void> => {
    const approve = async (token: string): Promise<unknown> => {
      const path = `${world.server.addresses.portal}/api/pending-actions/${id}/approve`;
      return world.call(path, { token, tenant: acting.tenant, body: { previewHash: hash } });
    };
    await approve(approver);
    await between();
    await approve(await world.token({ user: 'second@example.com', approver: true }));
    assert.equal(String((await portal('GET', `/pending-actions/${id}`)).body['state']), 'executed');
  };
  const takesTwo = async (name: string, args: Args): Promise<void> => {
    const { id, needed } = await proposed(name, args);
    assert.equal(needed, 2, `${name} ${JSON.stringify(args)}`);
    await portal('POST', `/pending-actions/${id}/reject`, { reason: 'No' });
  };
  const allocationsOf = (payment: Json | undefined): Json[] => (payment?.['allocations'] ?? []) as unknown as Json[];

  test('is not given up where it is paid at the rate of its document, for all cents of rounding', async () => {
    for (const rate of ['0.987654321', '0.954321']) {
      const date = await valued(rate);
      const invoice = await issued('1.00', date);
      let apart = 0;
      for (const part of ['0.11', '0.11', '0.11', '0.11', '0.11', '0.11', '0.11', '0.11', '0.12']) {
        const { payment } = await done('service_record_payment', receipt(inDollars, date, part, invoice));
        const [{ entry_id } = { entry_id: null }] = allocationsOf(payment);
        if (entry_id !== null) apart += 1;
      }
      assert.ok(apart > 0, `cents of rounding at ${rate}`);
    }
  });

  test('is given up by what a rate makes of it: at once, allocated later, by a credit, and taken back', async () => {
    const issuedOn = await valued('1.10');
    const invoices: string[] = [];
    for (let each = 0; each < 6; each += 1) invoices.push(await issued('100.00', issuedOn));
    const [one = '', two = '', three = '', four = '', five = '', six = ''] = invoices;
    const date = await valued('0.01');
    for (const account of [inDollars, inEuro]) {
      await takesTwo('service_record_payment', receipt(account, date, '100.00', one));
      await takesTwo('service_record_payment', { ...receipt(account, date, '100.00', one), rate: '1.09' });
      // A credit that is worth a cent a euro, allocated afterwards.
      const { payment } = await done('service_record_payment', receipt(account, date, '300.00'));
      await takesTwo('service_allocate_payment', allocation(payment?.['id'], date, '100.00', two));
    }
    // A gain is none of it, but for taking it back.
    const { payment: more } = await done('service_record_payment', {
      ...receipt(inDollars, date, '100.00', three),
      rate: '1.50',
    });
    const [gain] = allocationsOf(more);
    await takesTwo('service_unallocate_payment', { allocation_id: gain?.['id'], date });
    // What was received at a false rate, and goes back at another, pays out.
    await takesTwo('service_record_payment', {
      ...receipt(inDollars, date, '100.00'),
      direction: 'made',
      refund: true,
      rate: '1.10',
    });
    // Without money it is, at whatever rate; and what a credit at a false rate leaves.
    const draft = { party_id: ada, issue_date: date, currency: 'EUR', kind: 'credit_note' };
    const lines = [{ description: 'Work', unit_price: '100.00', account: '4000' }];
    const { document } = await acting.act('service_create_invoice', { ...draft, lines });
    const issue = await proposed('service_issue_document', { document_id: document?.['id'] });
    assert.equal(issue.needed, 2);
    await carriedOutByTwo(issue);
    await takesTwo('service_allocate_payment', allocation(document?.['id'], date, '100.00', six));
    for (const open of [four, five]) await takesTwo('service_void_document', { document_id: open });
  });

  test('does not go from one bank to another of another currency for what a rate says: it is paid out, to that account', async () => {
    const date = await valued('1.10');
    const moves = (currency: string, debit: string, credit: string, amount: string, rate?: string): Args => ({
      date,
      currency,
      narration: 'Transfer',
      ...(rate === undefined ? {} : { rate }),
      lines: [
        { account: debit, debit: amount },
        { account: credit, credit: amount },
      ],
    });
    const post = 'service_post_journal_entry';
    await takesTwo(post, moves('EUR', inEuro, inDollars, '100.00', '10000'));
    await takesTwo(post, moves('EUR', inDollars, inEuro, '7000.00', '0.0001'));
    await takesTwo(post, moves('EUR', inDollars, inEuro, '7000.00'));
    await takesTwo(post, moves('USD', inEuro, inDollars, '250000.00'));
    await takesTwo(post, moves('USD', inDollars, inEuro, '250000.00'));
    // Between accounts of one currency nothing is.
    await done(post, moves('USD', '1050', inDollars, '10.00'));
    await done(post, moves('EUR', '1050', inDollars, '10.00'));
  });

  const shop = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const url = `${world.server.addresses.commerce}/api${path}`;
    return (await world.call(url, { token: approver, tenant: acting.tenant, method, body })).body;
  };
  const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  /** An order of one piece in euros, without tax, which the system books at what a euro was worth yesterday. */
  const ordered = async (unitPrice: bigint): Promise<string> => {
    await shop('PATCH', '/posting-profile', { mode: 'post' });
    await acting.act('service_set_exchange_rate', { currency: 'EUR', day: dayBefore(1), rate: '0.954321' });
    const none = { treatment: 'none', taxId: null, percentage: 0n } as const;
    const order = placing([{ unitPrice }], { currency: 'EUR' });
    const { id } = await placeIn(
      { url: world.db.appUrl, dataDir: world.dataDir, tenant: acting.tenant },
      {
        ...order,
        lines: order.lines.map((line) => ({ ...line, net: line.total, tax: 0n, taxed: none })),
        net: order.total,
        tax: 0n,
        taxes: [{ ...none, net: order.total, tax: 0n }],
      },
      { handler: 'manual', method: 'invoice' },
    );
    return id;
  };
  const postingsOf = async (id: string): Promise<Json[]> =>
    (await shop('GET', `/order-postings?orderId=${id}`))['items'] as unknown as Json[];
  const untilPosted = async (id: string, many: number): Promise<void> => {
    for (;;) {
      const all = await postingsOf(id);
      const waiting = all.find(({ reason }) => String(reason) === 'approval_required');
      assert.equal(waiting, undefined, JSON.stringify(all));
      if (all.length >= many && all.every(({ state }) => String(state) === 'posted')) return;
      await sleep(50);
    }
  };

  test('of an order gets into the books by itself, although it is paid in parts that are rounded apart', async () => {
    const id = await ordered(100n);
    const parts = ['0.11', '0.11', '0.11', '0.11', '0.11', '0.11', '0.11', '0.11', '0.12'];
    for (const amount of parts)
      await shop('POST', `/orders/${id}/payments/received`, { amount: { amount, currency: 'EUR' } });
    await untilPosted(id, parts.length + 1);
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const [{ lost } = { lost: 0 }] = await admin.query<{ lost: number }>(sql`
      select count(*)::int as lost
      from accounting.allocation l join bookkeeping.posting p on p.tenant_id = l.tenant_id and p.payment_id = l.credit_id
      where l.tenant_id = ${acting.tenant}::uuid and l.credit_base < l.charge_base`);
    assert.ok(lost > 0, 'a part left a loss of a cent');
  });

  test('is given back by the system for what it was worth, whatever rate somebody stores after people approved it', async () => {
    const id = await ordered(10_000n);
    await shop('POST', `/orders/${id}/payments/received`, {});
    await untilPosted(id, 2);
    const back = { order_id: id, reason: 'other', adjustment: { amount: '100.00', currency: 'EUR' } };
    const asked = await proposed('service_refund_order', back);
    // By an agent alone, between the two who approve: after them it would have to be quicker than the system.
    await carriedOutByTwo(asked, async () => {
      await acting.act('service_set_exchange_rate', { currency: 'EUR', day: dayBefore(0), rate: '10000' });
    });
    const one = async (): Promise<Json> => {
      for (;;) {
        const found = (await postingsOf(id)).find(({ kind }) => String(kind) === 'refund');
        if (found !== undefined && /posted|waiting/.test(String(found['state']))) return found;
        await sleep(50);
      }
    };
    const waiting = await one();
    assert.deepEqual([waiting['state'], waiting['reason']] as unknown, ['waiting', 'posting_differs']);
    await acting.act('service_set_exchange_rate', { currency: 'EUR', day: dayBefore(0), rate: '0.98' });
    await shop('POST', `/order-postings/${String(waiting['id'])}/carry-out`, {});
    assert.equal(String((await one())['state']), 'posted');
  });

  test('leaves a log that is verified', async () => {
    const verified = async (): Promise<string> => {
      const { code, out, err } = await world.command(['audit', 'verify']);
      return code === 0 ? 'verified' : out + err;
    };
    assert.equal(await verified(), 'verified');
  });
});
