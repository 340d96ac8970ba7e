import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { createWorld, until, type World } from '../fixtures/letters.ts';
import { byDoor, placing } from '../fixtures/world.ts';
import { fulfilOrder } from '../fulfilments/fulfil.ts';

const fulfil = byDoor(fulfilOrder);
const secret = 'of the connection';

interface Told {
  readonly id: string;
  readonly object: 'Tracker';
  readonly tracking_code: string;
  readonly status: string;
  readonly updated_at: string;
}

describe('what carriers say of parcels', () => {
  let world: World;
  /** What the provider answers of each tracker, and the statuses that it answers next instead. */
  const trackers = new Map<string, Told>();
  const faults: number[] = [];
  const provider = createServer((request, response) => {
    const fault = faults.shift();
    const found = trackers.get(request.url?.split('/').at(-1) ?? '');
    const known = request.headers.authorization === `Basic ${Buffer.from('EZK1:').toString('base64')}`;
    response.writeHead(fault ?? (known ? (found === undefined ? 404 : 200) : 401), {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(found ?? {}));
  });
  before(async () => {
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    world = await createWorld(100, new URL(`http://127.0.0.1:${(provider.address() as AddressInfo).port}`));
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    provider.close();
  });

  let count = 0;
  const eventOf = (result: Told, more: object = {}) => ({
    id: `evt_${(count += 1)}`,
    object: 'Event',
    mode: 'production',
    description: 'tracker.updated',
    created_at: result.updated_at,
    result,
    ...more,
  });
  const tell = async (connection: string, event: object, key = secret): Promise<number> => {
    const body = JSON.stringify(event);
    const answer = await fetch(`${world.base}/webhooks/shipping?c=${connection}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hmac-signature': `hmac-sha256-hex=${createHmac('sha256', key).update(body).digest('hex')}`,
      },
      body,
    });
    await answer.text();
    return answer.status;
  };
  const settled = async (tenant: string): Promise<void> =>
    until(async () => {
      const rows = await world.admin.query(
        sql`select from callbacks.delivery where tenant_id = ${tenant}::uuid and status = 'waiting'`,
      );
      return rows.length === 0;
    });
  const sent = async (number: string) => {
    const tenant = await world.tenant();
    const context = world.as(tenant, 'alice');
    const order = await world.place(
      tenant,
      placing([{}], {
        buyer: { email: 'ann@example.com', name: 'Ann', phone: null, vatNumber: null, marketing: false },
      }),
    );
    await fulfil(context, { orderId: order.id, carrier: 'UPS', trackingNumber: number });
    const standing = async (): Promise<unknown> => {
      const [row] = await world.admin.query(sql`
        select delivery_status as status, version from orders.fulfilment where tenant_id = ${tenant}::uuid`);
      return row;
    };
    return { tenant, order, standing };
  };
  const at = (minute: number): string => new Date(Date.now() - 3_600_000 + minute * 60_000).toISOString();
  const tracker = (number: string, status: string, minute: number): Told => ({
    id: `trk_${number}`,
    object: 'Tracker',
    tracking_code: number,
    status,
    updated_at: at(minute),
  });

  test('moves what left, in whichever order it is told, and the buyer hears once that it has arrived', async () => {
    const { tenant, standing } = await sent('1Z1');
    const connection = await world.connect(tenant, true, { signing: secret });
    const told = [
      tracker('1Z1', 'pre_transit', 1),
      tracker('1Z1', 'in_transit', 2),
      tracker('1Z1', 'out_for_delivery', 3),
      tracker('1Z1', 'delivered', 4),
    ];
    const events = told.map((one) => eventOf(one));
    const shuffled = [3, 0, 2, 1, 3].flatMap((index) => events[index] ?? []);
    const answers = await Promise.all(
      [...shuffled, eventOf(tracker('1Z1', 'delivered', 5)), eventOf(tracker('1Z1', 'unknown', 9))].map(async (event) =>
        tell(connection, event),
      ),
    );
    assert.ok(answers.every((status) => status === 200));
    await settled(tenant);
    assert.equal(((await standing()) as { status: string }).status, 'delivered');
    await world.sent(tenant);
    const letters = world.received.filter(({ to }) => to === 'ann@example.com').map(({ subject }) => subject);
    assert.deepEqual(
      letters.filter((subject) => subject.includes('arrived')),
      ['Your order 1001 has arrived'],
    );
    const [row] = await world.admin.query<{ told: number }>(sql`
      select count(*)::int as told from audit.event where tenant_id = ${tenant}::uuid
        and event::jsonb ->> 'type' = 'commerce.fulfilment.tracked' and event::jsonb #>> '{payload,status}' = 'delivered'`);
    assert.equal(row?.told, 1);
  });

  test('is read anew by the key of the connection, again while the provider is away, and the parcel that goes back says so', async () => {
    const { tenant, standing } = await sent('1Z2');
    const connection = await world.connect(tenant, true, { signing: secret, apiKey: 'EZK1' });
    trackers.set('trk_1Z2', tracker('1Z2', 'delivered', 8));
    faults.push(500);
    await tell(connection, eventOf(tracker('1Z2', 'in_transit', 2)));
    await settled(tenant);
    assert.deepEqual(await standing(), { status: 'delivered', version: 2 }, 'what the provider says now');
    trackers.set('trk_1Z2', tracker('1Z2', 'return_to_sender', 9));
    await tell(connection, eventOf(tracker('1Z2', 'return_to_sender', 9)));
    await settled(tenant);
    assert.deepEqual(await standing(), { status: 'returning', version: 3 });
  });

  test('changes nothing of other tenants, of the other mode, of unknown parcels, and where it is forged', async () => {
    const one = await sent('1Z3');
    const other = await sent('1Z3');
    const connection = await world.connect(other.tenant, true, { signing: secret });
    const event = eventOf(tracker('1Z3', 'delivered', 4));
    assert.equal(await tell(connection, event, 'of somebody else'), 401);
    assert.equal(await tell(connection, { ...event, mode: 'test' }), 400);
    assert.equal(await tell(newId(), event), 503, 'no such connection');
    assert.equal(await tell(connection, eventOf(tracker('1Z9', 'delivered', 4))), 200);
    assert.equal(await tell(connection, eventOf(tracker('1Z3', 'delivered', 4))), 200);
    await settled(other.tenant);
    assert.deepEqual(
      [await one.standing(), await other.standing()],
      [
        { status: null, version: 1 },
        { status: 'delivered', version: 2 },
      ],
    );
  });
});
