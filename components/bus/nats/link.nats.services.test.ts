import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { createLog } from '@steward/kernel';
import { createLink } from './link.ts';

const shared = new URL(process.env['NATS_TEST_URL'] ?? '');

test('a link that is stopped while it connects ends with what it began', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = { servers: [`nats://127.0.0.1:${port}`], credentials: undefined, replicas: 1 };
  const found: boolean[] = [];
  const link = createLink(settings, createLog('silent'), () => found.push(true));
  link.start();
  await once(server, 'connection');
  const stopped = link.stop();
  const [socket] = sockets;
  assert.ok(socket);
  // The server says its first word only now.
  const broker = connect(Number(shared.port), shared.hostname);
  socket.pipe(broker).pipe(socket);
  await stopped;
  assert.deepEqual(found, []);
  assert.equal(link.stream, undefined);
  broker.destroy();
  server.close();
});
