import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, newId } from '@steward/kernel';
import { EventStream } from './event-stream.ts';
import { createStreams } from './streams.ts';

const event = (sequence: number) => ({
  id: newId(),
  type: 'crm.contact.created',
  subject: 'x'.repeat(1_000),
  occurredAt: '2026-11-26T22:00:00.000Z',
  sequence: String(sequence),
});
type Ports = ConstructorParameters<typeof EventStream>[0];
const ports = (more: Partial<Ports> = {}): Ports => ({
  read: async () => ({ events: [], through: '0' }),
  seen: async () => () => true,
  after: '0',
  finite: false,
  expiresAt: Date.now() + 3_600_000,
  closed: () => undefined,
  cut: () => undefined,
  ...more,
});

const one = { holder: 'one', inPerson: true };
const made = (most: { tenant: number; process: number }) => {
  const streams = createStreams({
    pool: { query: async () => [] },
    most,
    leaving: () => false,
    counted: () => undefined,
    log: createLog('silent'),
  });
  /** How many are let in. */
  const open = (tenant: string, listener: { holder: string; inPerson: boolean }, wanted = 1_000): number => {
    let got = 0;
    try {
      for (; got < wanted; got += 1) streams.open(tenant, listener, ports());
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'stream_limit');
    }
    return got;
  };
  return { streams, open };
};

describe('a stream of events', () => {
  test('is cut where its reader takes nothing for half a minute, and leaves its place to others', async () => {
    const { streams } = made({ tenant: 4, process: 10 });
    const tenant = newId();
    const flooded = { sequence: 0 };
    const flood: Ports['read'] = async () => {
      const events = Array.from({ length: 100 }, () => event((flooded.sequence += 1)));
      return { events: events as never, through: String(flooded.sequence) };
    };
    const opened: EventStream[] = [];
    const server = createServer((request, response) => {
      const stream = streams.open(tenant, one, ports({ read: flood, cut: () => void request.socket.destroy() }));
      opened.push(stream);
      Readable.from(stream, { objectMode: false }).pipe(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    reader.pause().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    // Until everything between it and its reader is full.
    const state = { told: 0 };
    do {
      state.told = flooded.sequence;
      await sleep(100);
    } while (state.told === 0 || state.told !== flooded.sequence);
    const open = (): EventStream => streams.open(tenant, one, ports());
    assert.throws(open, { code: 'stream_limit' });
    opened[0]?.tick(performance.now() + 29_000);
    assert.throws(open, { code: 'stream_limit' });
    const cut = once(reader.resume(), 'close');
    opened[0]?.tick(performance.now() + 31_000);
    await cut;
    assert.ok(open());
    server.close();
    await streams.stop();
  });

  test('is left open however long there is nothing to tell', async () => {
    let cut = 0;
    const stream = new EventStream(ports({ cut: () => (cut += 1) }));
    await stream.next();
    const waiting = stream.next();
    await sleep(1);
    stream.tick(performance.now() + 3_600_000);
    assert.equal(cut, 0);
    stream.end();
    assert.equal((await waiting).done, true);
  });

  test('finds room for the owner however many an agent, all agents or a member open', async () => {
    for (const tenant of [4, 20, 33]) {
      const { streams, open } = made({ tenant, process: 500 });
      const own = newId();
      const quarter = Math.floor(tenant / 4);
      assert.equal(open(own, { holder: 'agent', inPerson: false }), quarter);
      assert.equal(open(own, { holder: 'member', inPerson: true }), quarter);
      for (const holder of ['b', 'c', 'd']) open(own, { holder, inPerson: false });
      assert.equal(open(own, { holder: 'owner', inPerson: true }), quarter);
      await streams.stop();
    }
  });

  test('finds room for other organizations where 25 open all that they may, and none where each place is taken', async () => {
    const { streams, open } = made({ tenant: 20, process: 500 });
    const all = ['a', 'b', 'c', 'd', 'e'].map((holder) => ({ holder, inPerson: true }));
    for (let greedy = 0; greedy < 25; greedy += 1) {
      const tenant = newId();
      for (const listener of all) open(tenant, listener);
    }
    for (let other = 0; other < 12; other += 1) assert.equal(open(newId(), one, 4), 4);
    for (let last = 0; last < 100; last += 1) open(newId(), one, 1);
    assert.equal(open(newId(), one), 0);
    await streams.stop();
  });
});
