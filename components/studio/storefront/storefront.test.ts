import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import {
  createForm,
  createSite,
  issueKey,
  publishForm,
  revokeKey,
  unpublishForm,
  updateForm,
  updateSite,
  type SiteKey,
} from '../component.ts';
import { anyWork, contactForm, createWorld, type World } from '../fixtures/world.ts';
import { checksum } from '../keys/text.ts';
import { rotateKey } from '../keys/rotate.ts';

describe('what the storefront reads', () => {
  let world: World;
  /** Moved by tests; what is kept for a second is kept until it moves. */
  let moment = 0;
  before(async () => {
    world = await createWorld(() => moment);
  });
  after(async () => world[Symbol.asyncDispose]());

  async function shop(origins = ['https://shop.example.com']) {
    const context = await world.tenant();
    const { deps } = world.studio;
    const site = await createSite(context, { name: 'Shop', origins, defaultCountry: 'DE' }, deps);
    const issued = await issueKey(context, { siteId: site.id }, deps);
    const form = await createForm(context, contactForm(site.id), world.studio.deps);
    await publishForm(context, { formId: form.id }, deps);
    return { context, deps, site, issued, form, text: issued.key ?? '' };
  }

  test('finds the tenant and the site behind a key, and the form behind both', async () => {
    const { context, site, issued, form, text } = await shop();
    const { storefront } = world.studio;
    const key = await storefront.keyOf(text);
    assert.deepEqual(key, {
      tenant: context.tenant,
      siteId: site.id,
      brandId: site.brandId,
      keyId: issued.id,
      mode: 'live',
      origins: ['https://shop.example.com'],
    } satisfies SiteKey);
    const schema = await storefront.published(key, form.id);
    assert.deepEqual(JSON.parse(schema?.text ?? ''), {
      formId: form.id,
      siteId: site.id,
      name: 'Contact',
      activeVersion: 1,
      targetEntityType: 'crm_contact',
      fields: [
        { name: 'email', label: 'E-mail', type: 'email', required: true, mapsTo: 'email' },
        { name: 'message', label: 'Message', type: 'textarea', required: false },
      ],
      validationRules: [],
    });
    assert.equal(schema?.etag, '"v1"');
    assert.equal(schema.form.defaultCountry, 'DE');
    assert.equal(await storefront.namesOrigin('https://shop.example.com'), true);
    assert.equal(await storefront.namesOrigin('https://nobody.example.com'), false);
  });

  test('answers without a promise while it knows', async () => {
    const { form, text } = await shop();
    const { storefront } = world.studio;
    const key = (await storefront.keyOf(text)) as SiteKey;
    await storefront.published(key, form.id);
    assert.ok(!(storefront.keyOf(text) instanceof Promise));
    assert.ok(!(storefront.published(key, form.id) instanceof Promise));
  });

  test('refuses a mistyped key without asking the database', () => {
    const start = `pk_live_${'a'.repeat(30)}`;
    const { storefront } = world.studio;
    for (const text of [
      '',
      start,
      `${start}000000`,
      `pk_test_${'a'.repeat(30)}${checksum(start)}`,
      `${start}${checksum(start)} `,
      `sk_live_${'a'.repeat(36)}`,
    ]) {
      assert.equal(storefront.keyOf(text), undefined, text);
    }
    assert.ok(storefront.keyOf(start + checksum(start)) instanceof Promise);
  });

  test('shows a form to the keys of its own site only, and a stranger’s question spoils nothing', async () => {
    const one = await shop();
    const other = await shop();
    const { storefront } = world.studio;
    const stranger = (await storefront.keyOf(other.text)) as SiteKey;
    const owner = (await storefront.keyOf(one.text)) as SiteKey;
    assert.equal(await storefront.published(stranger, one.form.id), undefined);
    assert.equal((await storefront.published(owner, one.form.id))?.form.version, 1);
    assert.equal(await storefront.published(stranger, one.form.id), undefined);
    assert.equal(await storefront.published(owner, 'x'), undefined);
  });

  test('forgets at once here what was revoked, rotated without overlap, disabled or unpublished', async () => {
    const { context, deps, site, issued, form, text } = await shop();
    const { storefront } = world.studio;
    const key = (await storefront.keyOf(text)) as SiteKey;
    await storefront.published(key, form.id);
    await unpublishForm(context, { formId: form.id }, deps);
    assert.equal(await storefront.published(key, form.id), undefined);
    await publishForm(context, { formId: form.id }, deps);
    assert.equal((await storefront.published(key, form.id))?.form.version, 1);

    await updateSite(context, { siteId: site.id, status: 'disabled' }, deps);
    assert.equal(await storefront.keyOf(text), undefined);
    assert.equal(await storefront.published(key, form.id), undefined);
    await updateSite(context, { siteId: site.id, status: 'active' }, deps);
    assert.equal((await storefront.keyOf(text))?.keyId, issued.id);

    const next = await rotateKey(context, { siteId: site.id, keyId: issued.id, overlapHours: 0 }, deps);
    assert.equal(await storefront.keyOf(text), undefined);
    assert.equal((await storefront.keyOf(next.key ?? ''))?.keyId, next.id);
    await revokeKey(context, { siteId: site.id, keyId: next.id }, deps);
    assert.equal(await storefront.keyOf(next.key ?? ''), undefined);
  });

  test('forgets at once however the ids of a change are spelled', async () => {
    const { context, deps, site, issued, form, text } = await shop();
    const { storefront } = world.studio;
    const key = (await storefront.keyOf(text)) as SiteKey;
    await storefront.published(key, form.id);
    await updateForm(context, { formId: form.id.toUpperCase(), name: 'Again' });
    await publishForm(context, { formId: form.id.toUpperCase() }, deps);
    assert.equal((await storefront.published(key, form.id))?.form.name, 'Again');
    await unpublishForm(context, { formId: form.id.toUpperCase() }, deps);
    assert.equal(await storefront.published(key, form.id), undefined);
    await revokeKey(context, { siteId: site.id.toUpperCase(), keyId: issued.id.toUpperCase() }, deps);
    assert.equal(await storefront.keyOf(text), undefined);
    const next = await issueKey(context, { siteId: site.id.toUpperCase() }, deps);
    assert.equal((await storefront.keyOf(next.key ?? ''))?.siteId, site.id);
    await updateSite(context, { siteId: site.id.toUpperCase(), status: 'disabled' }, deps);
    assert.equal(await storefront.keyOf(next.key ?? ''), undefined);
  });

  test('believes another process for a second at most', async () => {
    const { context, site, issued, form, text } = await shop();
    const elsewhere = world.another();
    const { storefront } = world.studio;
    const key = (await storefront.keyOf(text)) as SiteKey;
    await storefront.published(key, form.id);

    await updateForm(context, { formId: form.id, name: 'Write to us' });
    await publishForm(context, { formId: form.id }, elsewhere.deps);
    await revokeKey(context, { siteId: site.id, keyId: issued.id }, elsewhere.deps);
    assert.equal((await storefront.published(key, form.id))?.form.version, 1);
    assert.equal((await storefront.keyOf(text))?.keyId, issued.id);
    moment += 1_000;
    assert.equal((await storefront.published(key, form.id))?.form.name, 'Write to us');
    assert.equal(await storefront.keyOf(text), undefined);
  });

  test('keeps a rotated key no longer than it lives', async () => {
    const { context, deps, site, issued, text } = await shop();
    await rotateKey(context, { siteId: site.id, keyId: issued.id, overlapHours: 1 }, deps);
    // As if most of the hour had passed.
    await world.admin.query(sql`alter table studio.sdk_key disable trigger key_ends`);
    await world.admin.query(sql`
      update studio.sdk_key set expires_at = clock_timestamp() + interval '500 milliseconds' where key_id = ${issued.id}::uuid`);
    await world.admin.query(sql`alter table studio.sdk_key enable trigger key_ends`);
    world.studio.deps.forget.key(issued.id);
    const { storefront } = world.studio;
    assert.equal((await storefront.keyOf(text))?.keyId, issued.id);
    await world.admin.query(sql`select pg_sleep(0.6)`);
    moment += 600;
    assert.equal(await storefront.keyOf(text), undefined);
  });

  test('narrows a key’s own origins to what its site still lists', async () => {
    const { context, deps, site } = await shop(['https://a.example', 'https://b.example']);
    const own = await issueKey(context, { siteId: site.id, origins: ['https://b.example'] }, deps);
    const server = await issueKey(context, { siteId: site.id, origins: [] }, deps);
    const { storefront } = world.studio;
    assert.deepEqual((await storefront.keyOf(own.key ?? ''))?.origins, ['https://b.example']);
    assert.deepEqual((await storefront.keyOf(server.key ?? ''))?.origins, []);
    await updateSite(context, { siteId: site.id, origins: ['https://a.example'] }, deps);
    assert.deepEqual((await storefront.keyOf(own.key ?? ''))?.origins, []);
  });

  test('reads the version that is active in the submitting transaction, and it stays one', async () => {
    const { context, deps, site, form } = await shop();
    const { storefront } = world.studio;
    await world
      .system(context.tenant)
      .require(anyWork)
      .write(async (tx) => {
        const first = await storefront.activeForm(tx, site.id, form.id);
        assert.equal(first?.version, 1);
        await updateForm(context, { formId: form.id, fields: [{ name: 'other', label: 'Other', type: 'text' }] });
        await publishForm(context, { formId: form.id }, deps);
        assert.deepEqual(
          first?.fields.map(({ name }) => name),
          ['email', 'message'],
        );
        assert.equal((await storefront.activeForm(tx, site.id, form.id))?.version, 2);
        assert.equal(await storefront.activeForm(tx, newId(), form.id), undefined);
      });
  });

  test('notes when keys were used, once for many requests', async () => {
    const { context, issued, text } = await shop();
    const elsewhere = world.another();
    elsewhere.start();
    for (let request = 0; request < 20; request += 1) await elsewhere.storefront.keyOf(text);
    await elsewhere[Symbol.asyncDispose]();
    const used = async () => {
      const [row] = await world.admin.query<{ last_used_at: Date; writes: string }>(sql`
        select last_used_at, xmin::text as writes from studio.sdk_key
        where tenant_id = ${context.tenant}::uuid and key_id = ${issued.id}::uuid`);
      return row;
    };
    const first = await used();
    assert.ok(first?.last_used_at instanceof Date);
    await elsewhere.storefront.keyOf(text);
    await elsewhere[Symbol.asyncDispose]();
    assert.deepEqual(await used(), first, 'within a minute nothing is written again');
  });
});
