import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql, type TenantContext } from '@steward/sql';
import { getWebhook } from '../endpoints/get.ts';
import { pauseWebhook } from '../endpoints/pause.ts';
import { resumeWebhook } from '../endpoints/resume.ts';
import { updateWebhook } from '../endpoints/update.ts';
import { openReceiver, type Received, type Receiver } from '../fixtures/receiver.ts';
import { byDoor, createWorld, type Instance, type World } from '../fixtures/world.ts';

describe('a receiver that does not take what is sent', () => {
  let world: World;
  let one: Instance;
  let context: TenantContext;
  let receiver: Receiver;
  const stack = new AsyncDisposableStack();
  before(async () => {
    world = stack.use(await createWorld());
    one = world.instance();
  });
  beforeEach(async () => {
    context = await world.tenant(one);
    receiver = stack.use(await openReceiver());
  });
  after(async () => stack.disposeAsync());

  const errors = async (webhookId: string): Promise<(string | null)[]> => {
    const rows = await world.admin.query<{ error: string | null }>(
      sql`select error from deliveries.attempt where endpoint_id = ${webhookId}::uuid order by attempted_at`,
    );
    return rows.map(({ error }) => error);
  };
  const delivered = async (webhookId: string, count: number): Promise<void> =>
    world.until(
      `${count} arrive`,
      async () => (await world.states(webhookId)).filter((state) => state === 'delivered').length === count,
    );

  /** Fails twice in some way; then it takes it. */
  const faults: Readonly<Record<string, { how: Parameters<Receiver['answer']>[0]; error: string }>> = {
    'answers 500': { how: 500, error: 'http_500' },
    'answers 404': { how: 404, error: 'http_404' },
    'redirects, where nobody follows': {
      how: (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/inside' }).end(),
      error: 'redirected',
    },
    'does not answer in time': { how: async () => new Promise(() => undefined), error: 'timed_out' },
    'does not end its answer in time': {
      how: (response) => {
        response.writeHead(200);
        response.write('x');
      },
      error: 'timed_out',
    },
    'closes the connection': {
      how: (_response, _received, socket) => void socket.destroy(),
      error: 'connection_closed',
    },
    'speaks another protocol from then on': {
      how: (_response, _received, socket) =>
        void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
      error: 'not_http',
    },
    'answers nonsense': {
      how: (_response, _received, socket) => void socket.end('\u0001nonsense\r\n\r\n'),
      error: 'not_http',
    },
  };
  for (const [what, { how, error }] of Object.entries(faults))
    test(`${what}: it is sent again, and told why`, async () => {
      const { id } = await one.webhook(context, receiver.url);
      receiver.answer(how);
      await one.publish(context, ['a']);
      await world.until('it fails', async () => (await errors(id)).length > 0);
      receiver.answer(200);
      await delivered(id, 1);
      const [first] = await errors(id);
      assert.equal(first, error);
    });

  test('answers without end: as much is read as is kept, and it counts as taken', async () => {
    const { id } = await one.webhook(context, receiver.url);
    let sent = 0;
    receiver.answer((response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && sent < 200_000_000) {
          sent += 65_536;
          if (!response.write('x'.repeat(65_536))) return;
        }
      };
      response.on('drain', more);
      more();
    });
    await one.publish(context, ['a']);
    await delivered(id, 1);
    assert.ok(sent < 20_000_000, `${sent} bytes were sent`);
  });

  test('asks to be left alone: nothing is sent before', async () => {
    const { id } = await one.webhook(context, receiver.url);
    receiver.answer((response) => void response.writeHead(429, { 'retry-after': '1' }).end());
    const began = performance.now();
    await one.publish(context, ['a', 'b', 'c']);
    await world.until('it is asked', () => receiver.requests.length > 0);
    await world.until('it is stored', async () => (await errors(id)).length > 0);
    const before = receiver.requests.length;
    receiver.answer(204);
    await delivered(id, 3);
    assert.ok(before <= 3 && performance.now() - began >= 900, 'a second is waited for');
  });

  test('says that it is gone: it is disabled at once, its people get a letter, and nothing is kept for it', async () => {
    const { id } = await one.webhook(context, receiver.url);
    receiver.answer(410);
    await one.publish(context, ['a']);
    await world.until('it is disabled', async () => {
      const { status, reason } = await byDoor(getWebhook)(context, { webhookId: id }, one.ports);
      return status === 'disabled' && reason === 'gone';
    });
    const letters = await world.admin.query<{ about: string; reader: string }>(
      sql`select about, reader from mail.letter where tenant_id = ${context.tenant}::uuid and owed_by = 'deliveries'`,
    );
    assert.deepEqual(
      letters.map(({ about, reader }) => [about.split(' ').slice(0, 2).join(' '), reader]),
      [[`${id} gone`, 'alice']],
    );
    const had = receiver.requests.length;
    await one.publish(context, ['b']);
    await byDoor(resumeWebhook)(context, { webhookId: id }, one.ports);
    receiver.answer(200);
    await one.publish(context, ['c']);
    await world.until('the next arrives', () => receiver.requests.slice(had).some(({ json }) => json.subject === 'c'));
    assert.ok(!receiver.requests.some(({ json }) => json.subject === 'b'));
  });

  test('fails for days: it is paused with everything that waits, its people get a letter, and it goes on when it is resumed', async () => {
    const impatient = await createWorld();
    await using _gone = impatient;
    const here = impatient.instance({
      poll: 20,
      again: { first: 30, longest: 60 },
      probe: { first: 30, longest: 60 },
      giveUp: 400,
    });
    const own = await impatient.tenant(here);
    const { id } = await here.webhook(own, receiver.url);
    receiver.answer(503);
    await here.publish(own, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    await impatient.until('it is paused', async () => {
      const { reason } = await byDoor(getWebhook)(own, { webhookId: id }, here.ports);
      return reason === 'failing';
    });
    assert.equal((await impatient.states(id)).filter((state) => state === 'pending').length, 7);
    const [letter] = await impatient.admin.query<{ n: number }>(
      sql`select count(*)::int as n from mail.letter where owed_by = 'deliveries' and about like ${`${id} failing%`}`,
    );
    assert.equal(letter?.n, 1);
    const had = receiver.requests.length;
    receiver.answer(200);
    await here.publish(own, ['h']);
    await byDoor(resumeWebhook)(own, { webhookId: id }, here.ports);
    await impatient.until('all arrive', async () => {
      const states = await impatient.states(id);
      return states.length === 8 && states.every((state) => state === 'delivered');
    });
    assert.deepEqual(
      new Set(receiver.requests.slice(had).map(({ json }) => json.subject)),
      new Set(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']),
    );
  });

  test('was away with much waiting: it is asked one at a time, then more and more, and gets each event once', async () => {
    const { id } = await one.webhook(context, receiver.url, { ordering: 'parallel' });
    receiver.answer(502);
    const subjects = Array.from({ length: 400 }, (_, n) => String(n));
    await one.publish(context, subjects);
    await world.until('it is down', async () => (await errors(id)).length >= 8);
    const asked = receiver.requests.length;
    assert.ok(asked < 60, `${asked} requests to a receiver that is away`);
    receiver.answer(async (response) => {
      await new Promise((resolve) => setImmediate(resolve));
      response.writeHead(200).end();
    });
    await delivered(id, 400);
    const taken = receiver.requests.slice(asked);
    assert.ok((taken[0]?.atOnce ?? 9) <= 2, 'the first comes alone');
    assert.ok(Math.max(...receiver.requests.map(({ atOnce }) => atOnce)) <= 33);
    assert.equal(new Set(receiver.requests.map((request: Received) => request.id)).size, 400);
  });

  test('is paused by a member: nothing is sent, and everything comes when it is resumed', async () => {
    const { id } = await one.webhook(context, receiver.url);
    await byDoor(pauseWebhook)(context, { webhookId: id }, one.ports);
    await one.publish(context, ['a', 'b']);
    await world.until('they are queued', async () => (await world.states(id)).length === 2);
    assert.equal(receiver.requests.length, 0);
    await byDoor(resumeWebhook)(context, { webhookId: id }, one.ports);
    await delivered(id, 2);
  });

  test('wants few requests in a second: it gets no more', async () => {
    const { id } = await one.webhook(context, receiver.url, { ordering: 'parallel' });
    await byDoor(updateWebhook)(context, { webhookId: id, perSecond: 20 }, one.ports);
    const began = performance.now();
    await one.publish(
      context,
      Array.from({ length: 22 }, (_, n) => String(n)),
    );
    await delivered(id, 22);
    // Two may leave at once for a tenth of a second in which none was there.
    assert.ok(performance.now() - began >= 850, `${performance.now() - began} ms`);
  });

  test('is slow: another tenant’s receiver waits for nothing', async () => {
    const slow = await one.webhook(context, receiver.url, { ordering: 'parallel' });
    receiver.answer(async () => new Promise(() => undefined));
    await one.publish(
      context,
      Array.from({ length: 200 }, (_, n) => String(n)),
    );
    await world.until('it hangs', () => receiver.requests.length > 0);
    const other = await world.tenant(one);
    await using quick = await openReceiver();
    const { id } = await one.webhook(other, quick.url);
    await one.publish(other, ['a', 'b', 'c']);
    await delivered(id, 3);
    assert.ok((await world.states(slow.id)).every((state) => state === 'pending'));
  });
});
