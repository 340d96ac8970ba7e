import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StudioDeps } from './deps.ts';
import { contactForm, createWorld, refused, type World } from './fixtures/world.ts';
import { archiveForm } from './forms/archive.ts';
import { createForm } from './forms/create.ts';
import { publishForm } from './forms/publish.ts';
import { restoreForm } from './forms/restore.ts';
import { updateForm } from './forms/update.ts';
import { issueKey } from './keys/issue.ts';
import { revokeKey } from './keys/revoke.ts';
import { rotateKey } from './keys/rotate.ts';
import { createSite } from './sites/create.ts';
import { updateSite } from './sites/update.ts';

describe('a tenant', () => {
  let world: World;
  let deps: StudioDeps;
  before(async () => {
    world = await createWorld();
    ({ deps } = world.another({ limits: { sites: 3, keys: 4, forms: 2, versions: 3, requestsPerMinute: 6_000 } }));
  });
  after(async () => world[Symbol.asyncDispose]());

  const refusal = async (work: Promise<unknown>): Promise<[number, string]> => {
    const { status, code } = await refused(work);
    return [status, code];
  };
  /** Twelve at once; answers how many were made. The others were refused with this code. */
  const atOnce = async (code: string, make: (n: number) => Promise<unknown>): Promise<number> => {
    const all = await Promise.allSettled(Array.from({ length: 12 }, async (_one, n) => make(n)));
    const codes = all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code?: string }).code] : []));
    assert.deepEqual(new Set(codes), new Set([code]));
    return all.length - codes.length;
  };

  test('makes no more sites than it may, disabled ones included, whatever comes at once', async () => {
    const context = await world.tenant();
    const made: string[] = [];
    assert.equal(
      await atOnce('site_limit', async (n) => made.push((await createSite(context, { name: `S${n}` }, deps)).id)),
      3,
    );
    await updateSite(context, { siteId: made[0] ?? '', status: 'disabled' }, deps);
    const full = await refused(createSite(context, { name: 'More' }, deps));
    assert.deepEqual([full.status, full.code], [409, 'site_limit']);
    assert.match(full.detail, /has 3 sites, the most allowed, disabled ones included: .* STUDIO_SITES_PER_TENANT/);
    await createSite(await world.tenant(), { name: 'Of another tenant' }, deps);
  });

  test('issues no more keys than it may over all sites, ended ones included', async () => {
    const context = await world.tenant();
    const [one, two] = [
      await createSite(context, { name: 'One' }, deps),
      await createSite(context, { name: 'Two' }, deps),
    ];
    const key = await issueKey(context, { siteId: one.id }, deps);
    await revokeKey(context, { siteId: one.id, keyId: (await issueKey(context, { siteId: one.id }, deps)).id }, deps);
    assert.equal(
      await atOnce('sdk_key_limit', async (n) => issueKey(context, { siteId: n % 2 === 0 ? one.id : two.id }, deps)),
      2,
    );
    assert.deepEqual(await refusal(rotateKey(context, { siteId: one.id, keyId: key.id }, deps)), [
      409,
      'sdk_key_limit',
    ]);
  });

  test('has no more forms in use than it may, and makes room by archiving', async () => {
    const context = await world.tenant();
    const { id: siteId } = await createSite(context, { name: 'Shop' }, deps);
    const made: string[] = [];
    const make = async (): Promise<unknown> => made.push((await createForm(context, contactForm(siteId), deps)).id);
    assert.equal(await atOnce('form_limit', make), 2);
    assert.match((await refused(make())).detail, /has 2 forms in use, the most allowed: archive/);
    await archiveForm(context, { formId: made[0] ?? '' }, deps);
    await make();
    assert.deepEqual(await refusal(restoreForm(context, { formId: made[0] ?? '' }, deps)), [409, 'form_limit']);
    while (made.length < 20) {
      await archiveForm(context, { formId: made.at(-1) ?? '' }, deps);
      await make();
    }
    const last = made.at(-1) ?? '';
    await archiveForm(context, { formId: last }, deps);
    assert.match((await refused(make())).detail, /has 20 forms, the most allowed, archived ones included: restore/);
    assert.equal((await restoreForm(context, { formId: last }, deps)).id, last);
  });

  test('publishes no more versions than it may, and serves older ones again', async () => {
    const context = await world.tenant();
    const { id: siteId } = await createSite(context, { name: 'Shop' }, deps);
    const forms = [
      await createForm(context, contactForm(siteId), deps),
      await createForm(context, contactForm(siteId), deps),
    ];
    const publish = async (n: number): Promise<unknown> => {
      const id = forms[n % 2]?.id ?? '';
      await updateForm(context, { formId: id, name: `Name ${n}` });
      return publishForm(context, { formId: id }, deps);
    };
    for (const n of [0, 1, 2]) await publish(n);
    const full = await refused(publish(3));
    assert.deepEqual([full.status, full.code], [409, 'form_version_limit']);
    const first = forms[0]?.id ?? '';
    assert.equal((await publishForm(context, { formId: first, version: 1 }, deps)).version, 1);
  });
});
