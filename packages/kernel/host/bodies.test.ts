import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../log.ts';
import { listen } from './listener.ts';

test('bodies that are sent slowly fill no memory: of too many the oldest are closed, and who sends at once is answered', async () => {
  const listener = await listen('127.0.0.1', 0, createLog('silent'), 300_000);
  listener.open((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => response.end(String(Buffer.concat(chunks).length)));
  });
  const closed: number[] = [];
  const slow = Array.from({ length: 20 }, (_, n): Socket => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.on('error', () => undefined).on('close', () => closed.push(n));
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n`);
    socket.write(Buffer.alloc(100_000));
    return socket;
  });
  try {
    for (let round = 0; closed.length < 17; round += 1) {
      assert.ok(round < 300, `${closed.length} were closed`);
      await sleep(10);
    }
    assert.ok(closed.length < slow.length, 'those that there is room for go on');
    const answer = await fetch(`http://127.0.0.1:${listener.port}/`, { method: 'POST', body: Buffer.alloc(250_000) });
    assert.equal(await answer.text(), '250000');
  } finally {
    for (const socket of slow) socket.destroy();
    await listener.close(0);
  }
});

test('answers that nobody reads fill no memory: of too many the oldest are closed, and who reads is answered', async () => {
  const listener = await listen('127.0.0.1', 0, createLog('silent'), 50_000_000);
  const whole = Buffer.alloc(20_000_000);
  listener.open((_request, response) => void response.end(whole));
  const deaf = Array.from({ length: 20 }, (): Socket => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return socket.pause();
  });
  try {
    const held = async (): Promise<number> =>
      new Promise((resolve, reject) => {
        listener.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      });
    for (let round = 0; (await held()) > 4 || round < 30; round += 1) {
      assert.ok(round < 300, `${await held()} are held`);
      await sleep(10);
    }
    assert.ok((await held()) > 0, 'those that there is room for go on');
    const answer = await fetch(`http://127.0.0.1:${listener.port}/`);
    assert.equal((await answer.arrayBuffer()).byteLength, whole.length);
  } finally {
    for (const socket of deaf) socket.destroy();
    await listener.close(0);
  }
});
