import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { AddressRefused, createGuardedFetch, lookupFor } from './guarded-fetch.ts';
import { createGuardedPost, NoAnswer } from './guarded-post.ts';

/** A server of DNS that is somebody's own, and says something else each time. */
async function openDns(answer: (name: string, type: 'A' | 'AAAA') => readonly string[]) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = message.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A';
    asked.push(`${type} ${labels.join('.')}`);
    const found = answer(labels.join('.'), type).map((one) => {
      const data = Buffer.from(one.split(/[.:]/).map(Number));
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc0_0c, 0);
      record.writeUInt16BE(type === 'A' ? 1 : 28, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(data.length, 10);
      return Buffer.concat([record, data]);
    });
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x81_80, 2);
    head.writeUInt16BE(found.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    socket.send(Buffer.concat([head, message.subarray(12, at + 5), ...found]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    asked,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

describe('a name that a stranger chose', () => {
  /** What must never be reached, at a port that may be asked. */
  const inside = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  let reached = 0;
  let port = 0;
  before(async () => {
    inside.listen(0, '127.0.0.1');
    await once(inside, 'listening');
    ({ port } = inside.address() as AddressInfo);
  });
  after(() => inside.close());

  const codeOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'answered',
      (error: unknown) => (error instanceof AddressRefused || error instanceof NoAnswer ? error.code : String(error)),
    );
  const sent = { headers: {}, body: '{}' };

  for (const [what, addresses] of Object.entries({
    'to this machine': ['127.0.0.1'],
    'to a network of its own': ['10.0.0.7'],
    'to what tells machines of a cloud who they are': ['169.254.169.254'],
    'to a public address and to this machine': ['8.8.8.8', '127.0.0.1'],
    'to this machine, and to a public address': ['127.0.0.1', '8.8.8.8'],
  }))
    test(`that leads ${what} is sent nothing`, async () => {
      await using dns = await openDns((_name, type) => (type === 'A' ? addresses : []));
      const { servers } = dns;
      const post = createGuardedPost({ loopback: false, ports: [port], servers, deadline: 2_000, bytesKept: 10 });
      const fetch = createGuardedFetch({ accept: '*/*', userAgent: 'test', loopback: false, ports: [port], servers });
      const address = `https://rebinds.example:${port}/`;
      assert.equal(await codeOf(post.post(address, sent)), 'address_not_public');
      assert.equal(await codeOf(fetch(address, {})), 'address_not_public');
      post.close();
      assert.equal(reached, 0);
      assert.ok(dns.asked.length > 0);
    });

  test('that leads elsewhere once it was judged is connected to at the address that was judged, and looked up once for each connection', async () => {
    let times = 0;
    await using dns = await openDns((_name, type) => {
      if (type === 'AAAA') return [];
      times += 1;
      return times === 1 ? ['8.8.8.8'] : ['127.0.0.1'];
    });
    const url = new URL(`https://rebinds.example:${port}/`);
    const lookup = lookupFor(url, { loopback: false, ports: [port], servers: dns.servers });
    const connected = async (): Promise<unknown> =>
      new Promise((resolve) => {
        lookup(url.hostname, { all: true }, (error, found) => resolve(error ?? found));
      });
    assert.deepEqual(await connected(), [{ address: '8.8.8.8', family: 4 }]);
    assert.equal(times, 1);
    assert.ok((await connected()) instanceof AddressRefused);
    assert.equal(reached, 0);
  });

  test('that has no address is told so', async () => {
    await using dns = await openDns(() => []);
    const { servers } = dns;
    const post = createGuardedPost({ loopback: false, ports: [port], servers, deadline: 2_000, bytesKept: 10 });
    assert.equal(await codeOf(post.post(`https://nowhere.example:${port}/`, sent)), 'name_not_found');
    post.close();
  });
});

describe('what an address answers that is no answer', () => {
  for (const [what, text, code] of [
    [
      'another protocol from here on',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
      'not_http',
    ],
    ['hints without end', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1_000), 'timed_out'],
    ['half of what it promises', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', 'timed_out'],
    ['nothing', '', 'timed_out'],
    ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`, 'not_http'],
  ] as const)
    test(`is over in time: ${what}`, async () => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).once('data', () => socket.write(text));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const post = createGuardedPost({ loopback: true, deadline: 300, bytesKept: 10 });
      const { port } = server.address() as AddressInfo;
      await assert.rejects(post.post(`http://127.0.0.1:${port}/`, { headers: {}, body: '{}' }), { code });
      post.close();
      server.close();
    });
});
