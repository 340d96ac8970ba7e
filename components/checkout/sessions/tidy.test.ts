import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantContext } from '@steward/sql';
import { createWorld, type World } from '../fixtures/world.ts';
import { keepDrafts } from '../permissions.ts';
import { cartBytes, readKept } from '../room/kept.ts';
import { makeRoom, makeSome } from '../room/make.ts';
import { tidy } from './job.ts';

interface Draft {
  readonly status?: string;
  /** Ago, in hours. */
  readonly touched?: number;
  /** From now on, in hours. */
  readonly ends?: number;
  readonly attempted?: number;
  readonly paid?: boolean;
  readonly checkoutId?: string;
  readonly mode?: 'live' | 'test';
}

describe('what visitors left', () => {
  let world: World;
  let context: TenantContext;
  let tenant: string;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  beforeEach(async () => {
    ({ tenant } = await world.tenant());
    context = world.system(tenant);
  });

  const hours = (count: number): string => `clock_timestamp() + interval '${count} hours'`;
  const cart = async ({
    status = 'open',
    touched = 0,
    ends = 24,
    checkoutId,
    mode = 'live',
  }: Draft): Promise<string> => {
    const id = newId();
    await world.admin.query(
      statement(
        `insert into checkout.cart (tenant_id, cart_id, brand_id, mode, token_sha256, status, currency, lines, codes, checkout_id, updated_at, expires_at)
         values ($1::uuid, $2::uuid, $2::uuid, $5, sha256('x'), $3, 'EUR', '[]', '{}', $4::uuid, ${hours(-touched)}, ${hours(ends)})`,
        [tenant, id, status, checkoutId ?? null, mode],
      ),
    );
    return id;
  };
  const session = async ({
    status = 'open',
    touched = 0,
    ends = 24,
    attempted,
    paid = false,
  }: Draft): Promise<string> => {
    const id = newId();
    const agreed = status === 'completing' ? { checkoutId: id, lines: [], discounts: [], taxes: [], buyer: {} } : null;
    const figures = { lines: [], messages: [], total: { amount: '0.00', currency: 'EUR' } };
    const payment = { handler: 'card', method: 'card', status: 'declined' };
    await world.admin.query(
      statement(
        `insert into checkout.session (tenant_id, checkout_id, brand_id, mode, token_sha256, status, currency, lines, codes, figures, total, units,
           payment, payment_attempted_at, agreed, order_id, updated_at, came_at, expires_at)
         values ($1::uuid, $2::uuid, $2::uuid, 'live', sha256('x'), $3, 'EUR', '[]', '{}', $4, 0, 0, $5::jsonb,
           ${attempted === undefined ? 'null' : hours(-attempted)}, $6::jsonb, $7::uuid, ${hours(-touched)}, ${hours(-touched)}, ${hours(ends)})`,
        [
          tenant,
          id,
          status,
          JSON.stringify(figures),
          paid ? JSON.stringify(payment) : null,
          agreed === null ? null : JSON.stringify(agreed),
          status === 'completed' ? newId() : null,
        ],
      ),
    );
    return id;
  };
  const answer = async (scope: string, ago: number, about: string | null = null): Promise<void> =>
    void (await world.admin.query(
      statement(
        `insert into checkout.request (tenant_id, scope_id, request_sha256, body_sha256, answer, about_id, created_at)
         values ($1::uuid, $2::uuid, sha256(uuid_send(gen_random_uuid())), sha256('x'), '{}', $3::uuid, ${hours(-ago)})`,
        [tenant, scope, about],
      ),
    ));
  const left = async (): Promise<string[]> =>
    (
      await world.admin.query<{ id: string }>(sql`
        select cart_id as id from checkout.cart where tenant_id = ${tenant}::uuid
        union all select checkout_id from checkout.session where tenant_id = ${tenant}::uuid order by 1`)
    ).map(({ id }) => id);
  const answers = async (of: string): Promise<number> => {
    const [row] = await world.admin.query<{ n: number }>(
      sql`select count(*)::int as n from checkout.request where tenant_id = ${tenant}::uuid and ${of}::uuid in (scope_id, about_id)`,
    );
    return row?.n ?? 0;
  };

  test('is deleted a month after its end, and answers after two days; what was bought, or is being paid, stays', async () => {
    const long = { touched: 32 * 24, ends: -31 * 24 };
    const gone = [await cart(long), await session(long), await session({ ...long, status: 'cancelled' })];
    const stays = [
      await cart({ touched: 29 * 24, ends: -29 * 24 }),
      await session({ touched: 29 * 24, ends: -29 * 24 }),
      await session({ ...long, status: 'completing' }),
      await session({ ...long, status: 'completed' }),
    ];
    const [first = ''] = stays;
    await answer(first, 49);
    await answer(first, 47);
    while ((await tidy({ pool: world.admin })) > 0);
    assert.deepEqual(await left(), stays.toSorted());
    assert.ok(gone.every((id) => !stays.includes(id)));
    assert.equal(await answers(first), 1);
  });

  test('makes room where it is too much, and nothing that was touched within the hour does, or is being paid, or was paid for or tried lately', async () => {
    const paying = await session({ status: 'completing', touched: 50, ends: -20 });
    const active = await session({ status: 'ready' });
    const stays = [
      paying,
      active,
      await session({ status: 'completed', touched: 50, ends: -20 }),
      await cart({ touched: 0.5 }),
      // Its checkout is what the buyer is at.
      await cart({ touched: 20, checkoutId: active }),
      await cart({ touched: 50, checkoutId: paying, ends: -20 }),
      await session({ touched: 2, attempted: 0.5 }),
      await session({ touched: 2, paid: true }),
    ];
    const gone = [
      await cart({ touched: 2 }),
      await cart({ touched: 2, ends: -1 }),
      await cart({ touched: 2, status: 'cancelled' }),
      await session({ touched: 2, status: 'ready' }),
      await session({ touched: 2, status: 'cancelled', attempted: 2 }),
      await session({ touched: 25, paid: true }),
    ];
    const key = newId();
    await answer(key, 0.5, active);
    await answer(key, 2, gone[0] ?? null);
    await answer(paying, 30);
    for (let n = 0; n < 25; n += 1) await answer(active, 0.01 * n);
    const before = await cartBytes(context);
    assert.equal(await makeRoom(context, 2 * before), before, 'there was enough');
    assert.equal((await left()).length, stays.length + gone.length);
    const after = await makeRoom(context, 0);
    assert.ok(after > 0 && after < before && after === (await cartBytes(context)));
    assert.deepEqual(await left(), stays.toSorted());
    assert.deepEqual([await answers(paying), await answers(key), await answers(active)], [1, 1, 26]);
  });

  test('makes room of what had ended before what was left longest', async () => {
    const old = await cart({ touched: 200 });
    const ended = await cart({ touched: 2, status: 'cancelled' });
    const [row] = await context
      .require(keepDrafts)
      .write(async (tx) =>
        tx.query<{ gone: number }>(sql`select o_rows as gone from checkout.make_room('live', 1, '{}', 'epoch')`),
      );
    assert.deepEqual([row?.gone, await left()], [1, [old]], ended);
    await makeRoom(context, 0);
    assert.deepEqual(await left(), []);
  });

  test('of tests leaves what is sold alone, and the other way round', async () => {
    const live = await cart({ touched: 3 });
    const tried = await cart({ touched: 3, mode: 'test' });
    const fresh = await cart({ mode: 'test' });
    const { live: sold, test: tests } = await readKept(context);
    assert.ok(sold > 0 && tests > 0);
    // Of these, tests have a twentieth.
    await makeRoom(context, 10 * sold);
    assert.deepEqual(await left(), [live, fresh].toSorted(), tried);
    await makeRoom(context, 0);
    assert.deepEqual(await left(), [fresh]);
  });

  test('is counted as it comes, changes and goes, as the database keeps it', async () => {
    const recounted = async (): Promise<number> => {
      const [row] = await world.admin.query<{ bytes: number }>(sql`
        select ((select coalesce(sum(400 + pg_column_size(lines) + coalesce(pg_column_size(door_state), 0)), 0) from checkout.cart where tenant_id = ${tenant}::uuid)
          + (select coalesce(sum(800 + pg_column_size(lines) + pg_column_size(figures) + coalesce(pg_column_size(door_state), 0) + coalesce(pg_column_size(agreed), 0)
            + coalesce(pg_column_size(note), 0) + coalesce(pg_column_size(payment), 0) + coalesce(pg_column_size(shipping_address), 0)
            + coalesce(pg_column_size(billing_address), 0)), 0) from checkout.session where tenant_id = ${tenant}::uuid and status <> 'completed')
          + (select coalesce(sum(200 + coalesce(pg_column_size(answer), 0)), 0) from checkout.request where tenant_id = ${tenant}::uuid))::float8 as bytes`);
      return row?.bytes ?? 0;
    };
    const one = await cart({});
    const other = await session({ paid: true });
    await session({ status: 'completing' });
    await answer(one, 0);
    const came = await cartBytes(context);
    assert.ok(came > 2_000 && came === (await recounted()), String(came));
    await world.admin.query(sql`
      update checkout.cart set door_state = jsonb_build_object('x', (select string_agg(md5(n::text), '') from generate_series(1, 3000) n)) where cart_id = ${one}::uuid`);
    const grew = await cartBytes(context);
    assert.ok(grew > came + 20_000 && grew === (await recounted()), String(grew));
    await world.admin.query(
      sql`update checkout.session set status = 'completed', order_id = ${newId()}::uuid where checkout_id = ${other}::uuid`,
    );
    assert.ok((await cartBytes(context)) < grew, 'what was bought does not count');
    assert.equal(await cartBytes(context), await recounted());
    await world.admin.query(sql`delete from checkout.cart where cart_id = ${one}::uuid`);
    assert.ok((await cartBytes(context)) < came);
    assert.equal(await cartBytes(context), await recounted());
  });

  test('is found without a look at what was touched lately, however much that is', async () => {
    const id = await cart({ touched: 3 });
    await world.admin.query(sql`
      insert into checkout.cart (tenant_id, cart_id, brand_id, mode, token_sha256, status, currency, lines, codes, expires_at)
      select ${tenant}::uuid, gen_random_uuid(), brand_id, mode, token_sha256, status, currency, lines, codes, expires_at
      from checkout.cart, generate_series(1, 4000) where cart_id = ${id}::uuid`);
    const [made, looked] = await context
      .require(keepDrafts)
      .write(async (tx) =>
        tx.queryAll([
          makeSome('live'),
          sql`select sum(seq_tup_read)::int as scanned, sum(idx_tup_fetch)::int as fetched from pg_stat_xact_user_tables where schemaname = 'checkout'`,
        ]),
      );
    assert.equal(made?.[0]?.['o_rows'], 1);
    assert.equal(looked?.[0]?.['scanned'], 0);
    assert.ok(Number(looked?.[0]?.['fetched']) < 200, JSON.stringify(looked));
  });

  test('is deleted in a transaction of its tenant alone', async () => {
    await assert.rejects(world.admin.query(makeSome('live')), /in a transaction of its tenant/);
  });
});
