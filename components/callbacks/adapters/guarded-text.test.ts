import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { startHttps } from '@steward/testing';
import { createGuardedText } from './guarded-text.ts';

const nobody = /^$/;

/**
 * What can be fetched by its path, how often each was, and a clock that is moved by hand.
 * @param deadline milliseconds: nothing meets it where it is not what a test is about
 */
async function createHost(pages: Readonly<Record<string, RequestListener>>, deadline = 60_000) {
  const asked: string[] = [];
  const server = await startHttps((request, response) => {
    asked.push(request.url ?? '');
    (pages[request.url ?? ''] ?? ((_, missing) => missing.writeHead(404).end()))(request, response);
  });
  let time = 0;
  return {
    url: server.url,
    asked,
    pass: (milliseconds: number) => (time += milliseconds),
    text: createGuardedText({ loopback: true, deadline, now: () => time }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('a text is fetched once by all who ask at once, and again when it is old', async () => {
  await using host = await createHost({ '/key': (_, response) => void response.end('a key') });
  const all = await Promise.all(Array.from({ length: 20 }, () => host.text(`${host.url}/key`, nobody)));
  assert.deepEqual([...new Set(all)], ['a key']);
  assert.deepEqual(host.asked, ['/key']);
  host.pass(599_000);
  await host.text(`${host.url}/key`, nobody);
  assert.equal(host.asked.length, 1);
  host.pass(2_000);
  await host.text(`${host.url}/key`, nobody);
  assert.equal(host.asked.length, 2);
});

test('what is missing, moved, cut off or too large is not to be had, and is left alone for half a minute', async () => {
  await using host = await createHost({
    '/moved': (_, response) => void response.writeHead(302, { location: '/large' }).end(),
    '/large': (_, response) => void response.end('x'.repeat(65_537)),
    '/fits': (_, response) => void response.end('x'.repeat(65_536)),
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('x', () => response.destroy());
    },
  });
  const paths = ['/missing', '/moved', '/large', '/cut'];
  for (let round = 0; round < 2; round += 1)
    for (const path of paths) await assert.rejects(host.text(`${host.url}${path}`, nobody), /is not to be had/);
  assert.deepEqual(host.asked, paths);
  host.pass(31_000);
  await assert.rejects(host.text(`${host.url}/missing`, nobody));
  assert.equal(host.asked.length, paths.length + 1);
  assert.equal((await host.text(`${host.url}/fits`, nobody)).length, 65_536);
});

test('what takes longer than the deadline is not to be had', async () => {
  const pages = {
    '/slow': (_: unknown, response: ServerResponse) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    },
  };
  await using host = await createHost(pages, 300);
  for (let round = 0; round < 2; round += 1)
    await assert.rejects(host.text(`${host.url}/slow`, nobody), /is not to be had/);
  assert.deepEqual(host.asked, ['/slow']);
});

test('no more than eight are fetched at once, and who came then may ask again', async () => {
  const waiting: (() => void)[] = [];
  await using host = await createHost(
    Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`/${at}`, (_, response) => void waiting.push(() => response.end('x'))]),
    ),
  );
  const ask = (at: number) => host.text(`${host.url}/${at}`, nobody);
  const eight = Array.from({ length: 8 }, (_, at) => ask(at));
  await assert.rejects(ask(8), /Too much/);
  while (waiting.length < 8) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const answer of waiting.splice(0)) answer();
  await Promise.all(eight);
  const ninth = ask(8);
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  waiting[0]?.();
  assert.equal(await ninth, 'x');
});

test('only https of the named hosts is asked, and this machine never where it is not allowed', async () => {
  const text = createGuardedText({ loopback: false });
  const paypal = /^(?:[a-z0-9-]+\.)+paypal\.com$/;
  for (const address of [
    'http://api.paypal.com/cert',
    'https://paypal.com.evil.example/cert',
    'https://evil.example/#.paypal.com',
    'https://api.paypal.com@evil.example/',
    'https://user@api.paypal.com/',
    'https://xpaypal.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'file:///etc/passwd',
    'x',
    '',
    `https://api.paypal.com/${'x'.repeat(500)}`,
  ])
    await assert.rejects(text(address, paypal), /not one that is fetched/, address);
  // Part of a name is no match, however the pattern is written.
  await assert.rejects(text('https://api.paypal.com.evil.example/', /paypal\.com/), /not one that is fetched/);
  await assert.rejects(text('https://localhost/', /^localhost$/), /not to be had/);
});
