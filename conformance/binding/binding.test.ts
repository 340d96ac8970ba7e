import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPool, statement, type SqlPool } from '@steward/sql';
import { createWorld, type Json, type World } from '@steward/conformance/world';
import { type DnsServer, startDns } from '@steward/testing';
import { openLook, type Place } from './change.ts';
import { commands } from './commands.ts';
import { openTenant, type CommandTenant } from './tenant.ts';

interface Fact {
  readonly noun: string;
  readonly id: string;
  readonly name: string | null;
  readonly before: Json;
  readonly after?: Json | null;
}

/** Shown as it stands at a moment, and not bound: the server's own list has the reasons. */
const asOf = new Set(['document.open', 'payment.open', 'key.last_used_at', 'discount.used']);

/** Facts that no row can change by themselves: somebody is a customer, a supplier, or both. */
const alone = new Set([
  'customer or supplier.customer',
  'customer or supplier.supplier',
  // The database makes them of others.
  'order.status',
  'order.payment_status',
  'order.fulfilment_status',
  'order.email_key',
]);

/** What verbs of the books and of orders refuse to go on with when it is changed behind their back, and nobody expects it: a fault of ours. */
const walled = new Set([
  'journal entry',
  'document',
  'payment',
  'allocation',
  'account',
  'order',
  'line of an order',
  'payment of an order',
  'return',
  'refund',
  'fulfilment',
  'posting of an order',
]);

/**
 * What followers of the bus, and whoever fetches pictures, sends webhooks or pushes feeds, write meanwhile; and secrets of webhooks, which nobody is shown: the
 * webhook itself is.
 */
const followed = new Set([
  'acp.feed_product',
  'acp.feed_work',
  'bookkeeping.posting',
  'orders.letter',
  'catalogue.medium',
  'deliveries.queue',
  'deliveries.delivery',
  'deliveries.attempt',
  'deliveries.secret',
]);

/** Rows that say nothing that the page does not say otherwise, or nothing to people. */
const implied: Readonly<Record<string, string>> = {
  'accounting.period': 'A month is its own name: the preview says which, and what becomes of it.',
  'accounting.series': 'Counts numbers.',
  'audit.head': 'Where the log goes on.',
  'bus.inbox': 'How far a follower is.',
  'catalogue.medium_turn': 'Whose pictures are fetched next.',
  'identity.access_version': 'Counts changes.',
  'accounting.balance': 'Sums of the postings that are shown.',
  'accounting.feed_movement': 'What a provider reported; the preview lists what becomes of it.',
  'accounting.item': 'What is open of a document or payment, which is shown.',
  'catalogue.price': 'A price of a variant, which is shown with its prices.',
  'catalogue.product_term': 'Words to search by.',
  'crm.contact_term': 'Words to search by.',
  'marketplace.listing': 'That a channel offers a product; both are shown.',
  'marketplace.task': 'What the worker of a channel does next.',
  'stock.level': 'What is on hand, by what moves it, or promised, by the lines of an order.',
  'stock.reservation': 'What is promised, by the lines of an order.',
  'stock.valuation': 'What stock is worth, by what moves it.',
};

/** Rows of one key that are new by nature, though it is of what was there: each is one more, and in the place of none. */
const added = new Set([
  ...Object.keys(implied),
  'accounting.attached',
  'crm.erased_contact',
  'studio.notified',
  ...followed,
]);

/** Another currency; of that one, the one before. */
const other = (column: string): string =>
  `case ${column} when 'USD' then 'CHF' when 'CHF' then 'USD' when 'EUR' then 'GBP' else 'EUR' end`;

/** Facts that stand in no column of the thing's row or of its parts: how each of them is changed. */
const elsewhere: Readonly<Record<string, (id: string) => string>> = {
  base_currency: () => `update accounting.book set base_currency = ${other('base_currency')}`,
  'allocation.currency': (id) => `update accounting.item set currency = ${other('currency')}
    where item_id = (select credit_id from accounting.allocation where allocation_id = '${id}')`,
  'bank line.currency': (id) => `update accounting.account set currency = ${other('currency')}
    where account_id = (select account_id from accounting.bank_line where line_id = '${id}')`,
  'bank match.currency': () => `update accounting.book set base_currency = ${other('base_currency')}`,
  'reconciliation.currency': (id) => `update accounting.account set currency = ${other('currency')}
    where account_id = (select account_id from accounting.reconciliation where reconciliation_id = '${id}')`,
  'line of an order.currency': (id) => `update orders.sales_order set currency = ${other('currency')}
    where order_id = (select order_id from orders.line where line_id = '${id}')`,
  'product.pictures': (id) => `update catalogue.medium set alt = case when alt = 'other' then 'A mug' else 'other' end
    where product_id = '${id}'`,
  'product.variants': (id) => `update catalogue.variant set sku = case when sku = 'other' then null else 'other' end
    where product_id = '${id}'`,
  'form.shown_to_visitors': (id) => `update studio.form_version set definition = case when definition like '%E-mail%'
    then replace(definition, 'E-mail', 'Address') else replace(definition, 'Address', 'E-mail') end where form_id = '${id}'`,
};

/** Every fact of every thing that every command shows, which takes minutes; else each fact once, and the first of each thing. */
const whole = process.env['BINDING_WHOLE'] === '1';

const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Of these nothing but an id is left. */
const nameless: ReadonlySet<string> = new Set(['service_erase_contact', 'service_erase_form_submission']);
/** Their postings are of several accounts, so no sum says anything. */
const manyAmounts: ReadonlySet<string> = new Set([
  'service_close_fiscal_year',
  'service_revalue_open_items',
  'service_unallocate_payment',
]);
const posts = ({ preview }: Json): boolean => JSON.stringify(preview?.['entries'] ?? []).includes('"lines":[{');

describe('what a person approves is what happens', () => {
  let world: World;
  let dns: DnsServer;
  let admin: SqlPool;
  let tenant: string;
  let offered: CommandTenant['offered'];
  let rest: CommandTenant['rest'];
  let gate: CommandTenant['gate'];
  let read: CommandTenant['read'];
  let approve: CommandTenant['approve'];
  let propose: CommandTenant['propose'];
  let act: CommandTenant['act'];
  let things: CommandTenant['things'];
  let look: Awaited<ReturnType<typeof openLook>>;
  before(async () => {
    dns = await startDns();
    world = await createWorld({ BRAND_HOST_DNS: dns.address });
    ({ tenant, offered, rest, gate, read, approve, propose, act, things } = await openTenant(world, dns));
    const url = new URL(world.db.adminUrl);
    // Past triggers and foreign keys: what changes a fact is not the matter here.
    url.searchParams.set('options', '-c session_replication_role=replica');
    admin = openPool({ url: url.href, size: 1 });
    look = await openLook(admin);
    // What a fact may be is not the matter either.
    const checks = await admin.query<{ drop: string }>(
      statement(`select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
        where contype = 'c' and conrelid <> 0`),
    );
    for (const { drop } of checks) await admin.query(statement(drop));
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
    await dns[Symbol.asyncDispose]();
  });

  const factsOf = (action: Json): Fact[] => action['facts'] as unknown as Fact[];

  /** Changes each fact that is shown, one at a time; what was approved before each must not happen. */
  async function changeEach(action: Json, seen: Set<string>): Promise<number> {
    const [id, tool, hash] = [String(action['id']), String(action['tool']), String(action['previewHash'])];
    let last = hash;
    const refused = async (what: string): Promise<void> => {
      const answer = await approve(id, hash);
      if (answer.status === 500 && walled.has(what.split('.')[0] ?? '')) {
        assert.equal(String((await read(id))['state']), 'pending', `${tool}: ${what}`);
        return;
      }
      assert.deepEqual(
        [answer.status, String(answer.body['code'])],
        [409, 'stale_preview'],
        `${tool}: ${what} ${JSON.stringify(answer.body)}`,
      );
      const now = answer.body['action'];
      // Absent where the tool itself refuses now.
      if (now === undefined) return;
      assert.notEqual(String(now['previewHash']), hash, `${tool}: ${what} is shown and not bound`);
      // Two changes may come to the same: then it was told of already, with the first.
      const same = String(now['previewHash']) === last;
      last = String(now['previewHash']);
      assert.ok(same || (now['changed'] as unknown as Json[]).length > 0, `${tool}: nobody is told of ${what}`);
    };
    let changed = 0;
    for (const fact of factsOf(action)) {
      const { at, without } = await look.placesOf(tenant, fact.id, fact.before);
      const places: [string, Place][] = Object.entries(at);
      for (const name of without) {
        if (asOf.has(`${fact.noun}.${name}`) || fact.before[name] === null) continue;
        const sql = elsewhere[`${fact.noun}.${name}`] ?? elsewhere[name];
        assert.ok(sql !== undefined, `${tool}: nobody knows how to change ${fact.noun}.${name}`);
        if (!whole && seen.has(`${fact.noun}.${name}`)) continue;
        seen.add(`${fact.noun}.${name}`);
        await admin.query(statement(sql(fact.id)));
        await refused(`${fact.noun}.${name}`);
        await admin.query(statement(sql(fact.id)));
        changed += 1;
      }
      for (const [name, place] of places) {
        const what = `${fact.noun}.${name}`;
        // Of several of a kind, each fact of the first, and the first fact of each.
        if (asOf.has(what) || (!whole && seen.has(what) && place !== places[0]?.[1])) continue;
        seen.add(what);
        const back = await look.change(place);
        if (back === undefined) {
          assert.ok(alone.has(what), `${tool}: ${what} takes no other value`);
          continue;
        }
        try {
          await refused(what);
        } finally {
          await back();
        }
        changed += 1;
      }
    }
    return changed;
  }

  test('of every command there is, with every fact that its page shows', async (t) => {
    assert.deepEqual([...offered.keys()].toSorted(), Object.keys(commands).toSorted(), 'each command is called here');
    const made = await things();
    let total = 0;
    const seen = new Set<string>();
    for (const [name, argumentsOf] of Object.entries(commands)) {
      const args = await argumentsOf(act, made);
      await gate(...(offered.get(name)?.tier === 'approval' ? [] : [name]));
      const action = await propose(name, args);
      assert.match(String(action['summary']), /^Would /, name);
      const named = new Set(factsOf(action).map(({ id }) => id));
      for (const id of JSON.stringify(args).match(uuid) ?? [])
        assert.ok(named.has(id) || name === 'service_withdraw_pending_action', `${name} shows ${id} by no name`);
      total += await changeEach(action, seen);
      const id = String(action['id']);
      // Everything is as it was, and so is what would be approved.
      await approve(id, 'A'.repeat(43));
      assert.equal(String((await read(id))['previewHash']), String(action['previewHash']), name);
      const before = await look.written(tenant);
      const known = new Set([...before.keys(), tenant].flatMap((row) => row.match(uuid) ?? []));
      // Rows of things and of their parts.
      const rows = new Set<string>();
      for (const fact of factsOf(action)) {
        const { at } = await look.placesOf(tenant, fact.id, fact.before);
        const ids = [fact.id, ...(JSON.stringify(fact.before).match(uuid) ?? [])];
        for (const { table } of Object.values(at)) for (const one of ids) rows.add(`${table} ${one}`);
      }
      const { body } = await approve(id, action['previewHash']);
      assert.equal(String(body['state']), 'executed', `${name}: ${JSON.stringify(body)}`);
      assert.doesNotMatch(String(body['summary']), /\bwould\b/i, name);
      for (const told of [action, body].map(({ summary }) => String(summary))) {
        assert.ok(
          told.replaceAll(/\/\S+/g, '').match(uuid) === null || nameless.has(name),
          `${name} names by an id: ${told}`,
        );
        if (posts(action) && !manyAmounts.has(name)) assert.match(told, /\d [A-Z]{3}\b/, `${name} says no amount`);
      }
      for (const fact of factsOf(action).filter(({ after: then }) => then === null))
        assert.ok(
          // A former member has a row of their own, by the same id.
          fact.noun === 'member' || Object.keys((await look.placesOf(tenant, fact.id, fact.before)).at).length === 0,
          `${name} does not remove ${fact.noun}`,
        );
      const written = await look.written(tenant);
      const ofOrders = await look.documentsOfOrders(tenant);
      for (const [row, by] of written) {
        const [table = '', ...key] = row.split(' ');
        if (key.some((one) => ofOrders.has(one)) || table.startsWith('approvals.') || followed.has(table)) continue;
        // Of the tenant or of what was there; rows by days or words are counted by whoever follows, at any time.
        const isOfOld = key.length === 1 && known.has(key[0] ?? '');
        if (!before.has(row) && isOfOld && !added.has(table))
          assert.fail(`${name} makes ${row}: what would it show of one that was there before?`);
        if (!before.has(row) || before.get(row) === by) continue;
        // What is implied by another thing has its id, or no id of its own.
        const isShown =
          implied[table] === undefined
            ? key.some((one) => rows.has(`${table} ${one}`))
            : key.length > 1 || key[0] === tenant || !isId(key[0] ?? '') || named.has(key[0] ?? '');
        assert.ok(isShown, `${name} changes ${row}, and shows nothing of it`);
      }
    }
    t.diagnostic(`${total} facts of ${offered.size} commands were changed`);
  });

  test('is not refused for twenty postings that have nothing to do with it', async () => {
    await gate();
    const made = await things();
    const waiting: Json[] = [];
    for (const name of [
      'service_issue_document',
      'service_void_document',
      'service_record_payment',
      'service_void_payment',
      'service_post_journal_entry',
      'service_reverse_journal_entry',
      'service_allocate_payment',
    ])
      waiting.push(await propose(name, (await commands[name]?.(act, made)) ?? {}));
    // Another month than the one that is closed already.
    waiting.push(await propose('service_close_period', { month: '2024-07-01' }));
    for (let round = 0; round < 10; round += 1) {
      const posted = { ...(await commands['service_post_journal_entry']?.(act, made)), narration: `Posting ${round}` };
      await act('service_post_journal_entry', posted);
      await act('service_issue_document', (await commands['service_issue_document']?.(act, made)) ?? {});
    }
    for (const { id, tool, previewHash } of waiting) {
      const { body } = await approve(String(id), previewHash);
      assert.equal(String(body['state']), 'executed', `${String(tool)}: ${JSON.stringify(body)}`);
    }
  });

  test('when the customer of a draft, its days or its words are others by then: the invoice is not issued', async () => {
    await gate();
    const partyNamed = async (name: string): Promise<string> =>
      String((await act('service_create_party', { name }))['party']?.['id']);
    const draft = {
      party_id: await partyNamed('Acme Ltd'),
      issue_date: '2026-03-02',
      due_date: '2026-04-01',
      notes: 'Thank you.',
      lines: [{ description: 'Advice', unit_price: '100', account: '4000' }],
    };
    const { document } = await act('service_create_invoice', draft);
    const document_id = String(document?.['id']);
    const [line] = draft.lines;
    const others: readonly [told: RegExp, change: object][] = [
      [/Mallory Ltd/, { party_id: await partyNamed('Mallory Ltd') }],
      [/2026-05-01/, { due_date: '2026-05-01' }],
      [/Pay Mallory/, { notes: 'Pay Mallory.' }],
      [/Nothing at all/, { lines: [{ ...line, description: 'Nothing at all' }] }],
    ];
    for (const [told, change] of others) {
      await act('service_update_document', { document_id, ...draft });
      const action = await propose('service_issue_document', { document_id });
      assert.match(JSON.stringify(action['facts']), /Acme Ltd/);
      await act('service_update_document', { document_id, ...draft, ...change });
      const answer = await approve(String(action['id']), action['previewHash']);
      assert.deepEqual([answer.status, String(answer.body['code'])], [409, 'stale_preview']);
      assert.match(JSON.stringify(answer.body['action']?.['changed']), told);
      const { document: still } = await act('service_get_document', { document_id });
      assert.equal(String(still?.['status']), 'draft');
    }
  });

  test('when the payee has another name by then: nothing is paid, and two people are asked about somebody new', async () => {
    await gate();
    const made = await things();
    const pay = (await commands['service_record_payment']?.(act, made)) ?? {};
    const party_id = String(pay['party_id']);
    const { body: policy } = await rest('GET', '/approval-policy');
    assert.equal((await rest('PUT', '/approval-policy', { ...policy, newPayeeFourEyes: true })).status, 200);
    const asked = { ...pay, allocations: [], amount: '1.00' };
    const reasons = async (): Promise<unknown> => (await propose('service_record_payment', asked))['reasons'];
    assert.deepEqual(await reasons(), ['new_payee']);
    await act('service_record_payment', asked);
    assert.deepEqual(await reasons(), []);

    const action = await propose('service_record_payment', asked);
    await act('service_update_party', { party_id, name: 'Mallory Ltd' });
    const answer = await approve(String(action['id']), action['previewHash']);
    assert.deepEqual([answer.status, String(answer.body['code'])], [409, 'stale_preview']);
    const { action: anew = {} } = answer.body;
    const [changed] = anew['changed'] as unknown as Json[];
    assert.deepEqual([String(changed?.['pointer']), String(changed?.['after'])], ['/name', 'Mallory Ltd']);
    assert.deepEqual(await reasons(), ['new_payee']);
  });
});
