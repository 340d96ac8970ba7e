import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId, Problem } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { trustAgent } from '../agents/trust.ts';
import { getAgenticCommerce } from '../doors/get.ts';
import { createWorld, type Instance, type World } from '../fixtures/world.ts';
import { challengeOf } from './challenge.ts';
import { claimHost, mostHosts } from './claim.ts';
import type { BrandHost } from './host.ts';
import { lapseHost } from './lapse.ts';
import { listHosts } from './list.ts';
import { createTexts } from './records.ts';
import { releaseHost } from './release.ts';
import { verifyHost } from './verify.ts';

interface Brand {
  readonly context: TenantContext;
  readonly brandId: string;
}

describe('hosts of brands', () => {
  let world: World;
  let one: Instance;
  let other: Instance;
  let names = 0;
  before(async () => {
    world = await createWorld();
    [one, other] = [world.instance(), world.instance()];
  });
  after(async () => world[Symbol.asyncDispose]());

  const fresh = (): string => `shop${(names += 1)}.example.com`;
  const brand = async (by = one): Promise<Brand> => world.shop(by);
  const claim = async ({ context, brandId }: Brand, host: string): Promise<BrandHost> =>
    claimHost(context, { brandId, host }, one.ports);
  /** What DNS says of a host from now on. */
  const publish = (...claims: readonly BrandHost[]): void => {
    const name = claims[0]?.record.name ?? '';
    world.dns.texts.set(name, ['v=spf1 -all', ...claims.map(({ record }) => record.value)]);
  };
  /** What comes of verifying: the status, or the code of the refusal. */
  const verify = async ({ context }: Brand, { id }: Pick<BrandHost, 'id'>, by = one): Promise<string> =>
    verifyHost(context, { hostId: id }, by.ports).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Problem ? error.code : assert.fail(String(error))),
    );
  const statuses = async ({ context, brandId }: Brand): Promise<string[]> =>
    (await listHosts(context, { brandId, limit: 50 }, one.ports)).items.map(({ status }) => status);
  const brandAt = async (host: string, by = one): Promise<string | undefined> =>
    (await by.agentic.holderOf(host))?.brandId;
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    for (let round = 0; !(await holds()); round += 1) {
      assert.ok(round < 300, 'it never came to this');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const told = async ({ context }: Brand): Promise<string[]> =>
    (await world.events(context.tenant)).map(({ type }) => type).filter((type) => type.startsWith('agentic.host.'));

  test('are served once DNS says whose they are, at once here and within a second elsewhere, and no more once they are released', async () => {
    const [shop, host] = [await brand(), fresh()];
    const claimed = await claim(shop, host.toUpperCase());
    assert.deepEqual([claimed.host, claimed.status], [host, 'claimed']);
    assert.deepEqual([await brandAt(host), await brandAt(host, other)], [undefined, undefined]);
    assert.equal(await verify(shop, claimed), 'host_unproved');
    world.dns.texts.set(claimed.record.name, [
      'something else',
      `x${claimed.record.value}`,
      `${claimed.record.value}x`,
    ]);
    assert.equal(await verify(shop, claimed), 'host_unproved');
    publish(claimed);
    assert.equal(await verify(shop, claimed), 'verified');
    assert.equal(await brandAt(host), shop.brandId);
    await until(async () => (await brandAt(host, other)) === shop.brandId);
    assert.equal(await verify(shop, claimed), 'verified');
    assert.deepEqual(await claim(shop, host), { ...(await claim(shop, host)), id: claimed.id, status: 'verified' });
    await releaseHost(shop.context, { hostId: claimed.id }, one.ports);
    assert.equal(await brandAt(host), undefined);
    await until(async () => (await brandAt(host, other)) === undefined);
    assert.equal(await verify(shop, claimed), 'host_released');
    assert.deepEqual(await told(shop), ['agentic.host.claimed', 'agentic.host.verified', 'agentic.host.released']);
    const again = await claim(shop, host);
    assert.notEqual(again.id, claimed.id);
    assert.deepEqual(again.record, claimed.record);
    assert.deepEqual(await statuses(shop), ['released', 'claimed']);
  });

  test('that are claimed alone block nobody, and those that are proved stay with whom they are while the record stands', async () => {
    const [first, second, host] = [await brand(), await brand(other), fresh()];
    const [early, late] = [await claim(first, host), await claim(second, host)];
    assert.notEqual(early.record.value, late.record.value);
    publish(late);
    assert.equal(await verify(second, late), 'verified');
    publish(late, early);
    assert.equal(await verify(first, early), 'host_taken');
    assert.equal(await brandAt(host), second.brandId);
    publish(early);
    assert.equal(await verify(first, early, other), 'verified');
    await until(async () => (await brandAt(host)) === first.brandId);
    assert.deepEqual(await statuses(second), ['lapsed']);
    await until(async () => (await told(second)).includes('agentic.host.lapsed'));
    assert.deepEqual(await told(second), ['agentic.host.claimed', 'agentic.host.verified', 'agentic.host.lapsed']);
    publish(late);
    assert.equal(await verify(second, late), 'verified');
    assert.equal(await brandAt(host), second.brandId);
    await until(async () => (await statuses(first))[0] === 'lapsed');
    await releaseHost(second.context, { hostId: late.id }, one.ports);
    assert.equal(await brandAt(host), undefined, 'who lost it does not get it back by itself');
  });

  test('are of one brand, also where many prove them at once', async () => {
    const [host, brands] = [fresh(), await Promise.all([brand(), brand(other), brand(), brand(other)])];
    const claims = await Promise.all(brands.map(async (shop) => claim(shop, host)));
    publish(...claims);
    const outcomes = await Promise.all(
      claims.map(async (claimed, at) => verify(brands[at] ?? assert.fail(), claimed, at % 2 === 0 ? one : other)),
    );
    assert.deepEqual(outcomes.toSorted(), ['host_taken', 'host_taken', 'host_taken', 'verified']);
    const winner = brands[outcomes.indexOf('verified')];
    await until(
      async () => (await brandAt(host)) === winner?.brandId && (await brandAt(host, other)) === winner?.brandId,
    );
  });

  test('of one tenant are of one of its brands', async () => {
    const [shop, host] = [await brand(), fresh()];
    const sibling = { ...shop, brandId: newId() };
    const [mine, theirs] = [await claim(shop, host), await claim(sibling, host)];
    assert.notEqual(mine.record.value, theirs.record.value);
    publish(mine, theirs);
    assert.equal(await verify(shop, mine), 'verified');
    assert.equal(await verify(sibling, theirs), 'host_taken');
    publish(theirs);
    assert.equal(await verify(sibling, theirs), 'verified');
    assert.deepEqual([await statuses(shop), await statuses(sibling)], [['lapsed'], ['verified']]);
  });

  test('are nothing to another tenant', async () => {
    const [shop, stranger, host] = [await brand(), await brand(), fresh()];
    const claimed = await claim(shop, host);
    publish(claimed);
    assert.equal(await verify(stranger, claimed), 'not_found');
    await assert.rejects(releaseHost(stranger.context, { hostId: claimed.id }, one.ports), { code: 'not_found' });
    assert.deepEqual(await statuses({ ...stranger, brandId: shop.brandId }), []);
    assert.equal(
      challengeOf(one.ports.secret, { ...shop, tenant: shop.context.tenant, host }),
      claimed.record.value,
      'what is published is what is looked for',
    );
    const [row] = await world.admin.query(
      sql`select relrowsecurity, relforcerowsecurity from pg_class where oid = 'agentic.host'::regclass`,
    );
    assert.deepEqual(row, { relrowsecurity: true, relforcerowsecurity: true });
  });

  test('are where a brand says who it is, as long as it has them', async () => {
    const [shop, host] = [await brand(), fresh()];
    const { context, brandId } = shop;
    const profileUrl = 'https://agent.example/ucp';
    const { id: agentId } = await trustAgent(context, { brandId, protocol: 'ucp', profileUrl }, one.ports);
    const named = async (): Promise<string | undefined> => {
      const agent = { tenant: context.tenant, agentId, brandId, url: 'https://agent.example/orders' };
      const message = { eventId: newId(), body: '{}', occurredAt: null };
      return (await one.requests.headersOf(agent, message))['ucp-agent'];
    };
    const below = `profile="https://shop.example/ucp/${brandId}/.well-known/ucp"`;
    assert.equal(await named(), below);
    const claimed = await claim(shop, host);
    assert.equal(await named(), below);
    publish(claimed);
    await verify(shop, claimed);
    assert.equal(await named(), `profile="https://${host}/.well-known/ucp"`);
    const urls = async (): Promise<string[]> =>
      (await getAgenticCommerce(context, { brandId }, one.ports)).doors.map(({ url }) => url);
    assert.deepEqual(await urls(), [`https://${host}/ucp`, `https://${host}/acp`]);
    await releaseHost(context, { hostId: claimed.id }, one.ports);
    assert.equal(await named(), below);
    assert.deepEqual(await urls(), [`https://shop.example/ucp/${brandId}`, `https://shop.example/acp/${brandId}`]);
  });

  test('are told to have lapsed once, and not where the brand proved them again meanwhile', async () => {
    const [shop, host] = [await brand(), fresh()];
    const claimed = await claim(shop, host);
    publish(claimed);
    await verify(shop, claimed);
    const { tenant } = shop.context;
    const context = one.process.system(tenant);
    await lapseHost(context, { tenant, brandId: shop.brandId, hostId: claimed.id }, host);
    assert.deepEqual(await statuses(shop), ['verified']);
  });

  test('are so many of a brand', async () => {
    const shop = await brand();
    for (let count = 0; count < mostHosts; count += 1) await claim(shop, fresh());
    await assert.rejects(claim(shop, fresh()), { code: 'host_limit' });
  });

  test('are not decided by who does not answer, or who answers without end', async () => {
    const [shop, host] = [await brand(), fresh()];
    const claimed = await claim(shop, host);
    world.dns.texts.set(claimed.record.name, [
      ...Array.from({ length: 150 }, (_, at) => `${at}`),
      claimed.record.value,
    ]);
    assert.notEqual(await verify(shop, claimed), 'verified');
    world.dns.silent = true;
    assert.equal(await verify(shop, claimed), 'unavailable');
    world.dns.silent = false;
    assert.deepEqual(await createTexts([world.dns.address])('nowhere.example.com', shop.context.tenant), []);
  });

  test('of one tenant that are asked for in vain leave room for those of others', async () => {
    const [slow, quick] = [await brand(), await brand()];
    const [silent, answered] = [await claim(slow, fresh()), await claim(quick, fresh())];
    publish(answered);
    world.dns.silentAt = silent.record.name;
    const waiting = Array.from({ length: 70 }, async () => verify(slow, silent));
    // Those that are turned away are answered at once.
    await Promise.race(waiting);
    assert.equal(await verify(quick, answered), 'verified');
    world.dns.silentAt = undefined;
    await Promise.all(waiting);
  });
});
