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

describe('a stream of events', () => {
  test('is cut where its reader takes nothing for half a minute, and leaves its place to others', async () => {
    const streams = createStreams({
      pool: { query: async () => [] },
      most: { tenant: 1, process: 10 },
      leaving: () => false,
      counted: () => undefined,
      log: createLog('silent'),
    });
    const tenant = newId();
    const flooded = { sequence: 0 };
    const flood: Ports['read'] = async () => {
      const events = Array.from({ length: 100 }, () => event((flooded.sequence += 1)));
      return { events: events as never, through: String(flooded.sequence) };
    };
    const opened: EventStream[] = [];
    const server = createServer((request, response) => {
      const stream = streams.open(tenant, ports({ read: flood, cut: () => void request.socket.destroy() }));
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
    const open = (): EventStream => streams.open(tenant, ports());
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
});
