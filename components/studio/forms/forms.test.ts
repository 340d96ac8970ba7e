import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import {
  anyWork,
  byDoor,
  contactForm,
  createWorld,
  faults,
  refused,
  type NewForm,
  type World,
} from '../fixtures/world.ts';
import { issueKey } from '../keys/issue.ts';
import { createSite } from '../sites/create.ts';
import type { SiteKey } from '../storefront/storefront.ts';
import { archiveForm } from './archive.ts';
import { createForm } from './create.ts';
import { getForm } from './get.ts';
import { listForms } from './list.ts';
import { publishForm } from './publish.ts';
import { restoreForm } from './restore.ts';
import { unpublishForm } from './unpublish.ts';
import { updateForm } from './update.ts';
import { formVersionIn, getVersion, listVersions } from './versions.ts';

describe('forms', () => {
  let world: World;
  let context: TenantContext;
  let siteId: string;
  before(async () => {
    world = await createWorld();
    context = await world.tenant();
    siteId = (await createSite(context, { name: 'Shop' }, world.studio.deps)).id;
  });
  after(async () => world[Symbol.asyncDispose]());

  const publish = async (id: string, options?: { version?: number; revision?: number }) =>
    publishForm(context, { formId: id, ...options }, world.studio.deps);

  test('begin as a draft, whose mapped fields aim at contacts', async () => {
    const form = await byDoor(createForm)(
      context,
      contactForm(siteId, {
        fields: [
          { name: 'email', label: ' E-mail ', type: 'email', mapsTo: 'email', helpText: 'Line one\nline two' },
          { name: 'topic', label: 'Topic', type: 'select', options: ['Sales', { value: 'help', label: 'Help' }] },
        ],
        validationRules: [{ field: 'topic', rule: 'required', message: 'Choose one' }],
      }),
      world.studio.deps,
    );
    assert.equal(form.status, 'draft');
    assert.equal(form.targetEntityType, 'crm_contact');
    assert.equal(form.hasUnpublishedChanges, true);
    assert.deepEqual(form.fields, [
      {
        name: 'email',
        label: 'E-mail',
        type: 'email',
        required: false,
        helpText: 'Line one\nline two',
        mapsTo: 'email',
      },
      {
        name: 'topic',
        label: 'Topic',
        type: 'select',
        required: true,
        options: [
          { value: 'Sales', label: 'Sales' },
          { value: 'help', label: 'Help' },
        ],
      },
    ]);
    assert.deepEqual(await getForm(context, { formId: form.id }), form);
    const plain = await createForm(
      context,
      {
        siteId,
        name: 'Plain',
        fields: [{ name: 'a', label: 'A', type: 'text' }],
      },
      world.studio.deps,
    );
    assert.equal(plain.targetEntityType, null);
  });

  test('are refused as drafts with a pointer to each fault', async () => {
    const wrong: [Partial<NewForm>, Record<string, string>][] = [
      [{ name: ' ' }, { '/name': 'too_small' }],
      [{ fields: [{ name: '1st', label: 'A', type: 'text' }] }, { '/fields/0/name': 'invalid_format' }],
      [{ fields: [{ name: '__proto__', label: 'A', type: 'text' }] }, { '/fields/0/name': 'invalid_format' }],
      [{ fields: [{ name: 'a', label: '', type: 'text' }] }, { '/fields/0/label': 'too_small' }],
      [{ fields: [{ name: 'a', label: 'a\u0007', type: 'text' }] }, { '/fields/0/label': 'invalid_format' }],
      [{ fields: [{ name: 'a', label: 'a\ud800', type: 'text' }] }, { '/fields/0/label': 'invalid_format' }],
      [{ fields: [{ name: 'a', label: 'A', type: 'password' as never }] }, { '/fields/0/type': 'invalid_value' }],
      [{ fields: [{ name: 'contact_id', label: 'A', type: 'text' }] }, { '/fields/0/name': 'contact_id_not_accepted' }],
      [
        { fields: [{ name: 'a', label: 'A', type: 'text', placeholder: ' ', helpText: '\n' }] },
        { '/fields/0/placeholder': 'invalid_format', '/fields/0/helpText': 'invalid_format' },
      ],
      [{ validationRules: [{ field: 'zip', rule: 'required' }] }, { '/validationRules/0/field': 'unknown_field' }],
      [{ notificationEmails: ['a@example.com\r\nBcc: b@example.com'] }, { '/notificationEmails/0': 'invalid_format' }],
      [{ notificationEmails: ['nobody'] }, { '/notificationEmails/0': 'invalid_format' }],
      [
        { notificationEmails: Array.from({ length: 11 }, (_, index) => `a${index}@example.com`) },
        { '/notificationEmails': 'too_big' },
      ],
      [{ defaultCountry: 'XX' }, { '/defaultCountry': 'invalid_value' }],
      [{ targetEntityType: 'CRM contact' }, { '/targetEntityType': 'invalid_format' }],
      [
        {
          fields: Array.from({ length: 201 }, (_, index) => ({ name: `f${index}`, label: 'F', type: 'text' as const })),
        },
        { '/fields': 'too_big' },
      ],
      [
        {
          fields: Array.from({ length: 40 }, (_, index) => ({
            name: `f${index}`,
            label: 'F',
            type: 'text' as const,
            helpText: 'x'.repeat(2000),
          })),
        },
        { '/fields': 'too_large' },
      ],
    ];
    for (const [more, expected] of wrong) {
      const problem = await refused(byDoor(createForm)(context, contactForm(siteId, more), world.studio.deps));
      assert.deepEqual([problem.code, faults(problem)], ['invalid_request', expected]);
    }
    assert.equal((await refused(createForm(context, contactForm(newId()), world.studio.deps))).code, 'not_found');
  });

  test('are not published while a submission could not become what they say', async () => {
    const email = { name: 'email', label: 'E', type: 'email', mapsTo: 'email' } as const;
    const company = { name: 'company', label: 'C', type: 'text', mapsTo: 'company' } as const;
    const wrong: [Partial<NewForm>, Record<string, string>][] = [
      [{ fields: [] }, { '/fields': 'required' }],
      [{ fields: [email], targetEntityType: null }, { '/targetEntityType': 'invalid_target' }],
      [{ fields: [email], targetEntityType: 'ticket' }, { '/targetEntityType': 'invalid_target' }],
      [{ fields: [company] }, { '/fields': 'identity_field_required' }],
      [
        { fields: [email, { name: 'size', label: 'S', type: 'number', mapsTo: 'shoe_size' }] },
        { '/fields/1/mapsTo': 'unknown_field' },
      ],
      [
        { fields: [email, { name: 'news', label: 'News', type: 'text', mapsTo: 'marketing_consent' }] },
        { '/fields/1/type': 'checkbox_required' },
      ],
      [
        { fields: [{ name: 'news', label: 'News', type: 'checkbox', mapsTo: 'marketing_consent' }] },
        { '/fields': 'identity_field_required' },
      ],
    ];
    for (const [more, expected] of wrong) {
      const form = await createForm(context, contactForm(siteId, more), world.studio.deps);
      const problem = await refused(publish(form.id));
      assert.deepEqual([problem.status, problem.code, faults(problem)], [400, 'form_not_publishable', expected]);
    }
    for (const fields of [
      [{ name: 'a', label: 'A', type: 'text' }] as const,
      [email, { name: 'news', label: 'News', type: 'checkbox', mapsTo: 'marketing_consent' }] as const,
      [company, { name: 'n', label: 'N', type: 'text', mapsTo: 'name' }] as const,
      [company, { name: 'p', label: 'P', type: 'tel', mapsTo: 'phone' }] as const,
    ]) {
      const form = await createForm(context, contactForm(siteId, { fields: [...fields] }), world.studio.deps);
      assert.equal((await publish(form.id)).version, 1);
    }
    const ticket = await createForm(
      context,
      contactForm(siteId, { fields: [{ name: 'a', label: 'A', type: 'text' }], targetEntityType: 'ticket' }),
      world.studio.deps,
    );
    assert.equal((await publish(ticket.id)).version, 1, 'a target of one’s own, without mappings');
  });

  test('a version stands as it was published, however the draft goes on', async () => {
    const form = await createForm(
      context,
      contactForm(siteId, { notificationEmails: ['sales@example.com'] }),
      world.studio.deps,
    );
    const { schemaUrl, submitUrl, embed, ...made } = await publish(form.id);
    const pages = `${world.studio.deps.storefront}/forms/${form.id}`;
    assert.deepEqual(
      [schemaUrl, submitUrl, embed.includes(`form-id="${form.id}"`)],
      [`${pages}/schema`, `${pages}/submit`, true],
    );
    assert.deepEqual(made, {
      formId: form.id,
      siteId,
      name: 'Contact',
      version: 1,
      previousVersion: null,
      changed: true,
      strangers: ['sales@example.com'],
    });
    const changed = await updateForm(context, {
      formId: form.id,
      name: 'Write to us',
      fields: [{ name: 'note', label: 'Note', type: 'text' }],
      targetEntityType: null,
      notificationEmails: [],
    });
    assert.deepEqual(
      [changed.status, changed.activeVersion, changed.revision, changed.hasUnpublishedChanges],
      ['published', 1, 2, true],
    );
    const first = await getVersion(context, { formId: form.id, version: 1 });
    assert.deepEqual(
      [first.name, first.fields.length, first.notificationEmails, first.publishedBy],
      ['Contact', 2, ['sales@example.com'], 'user:alice'],
    );
    assert.equal((await publish(form.id)).version, 2);
    await world
      .system(context.tenant)
      .require(anyWork)
      .write(async (tx) => {
        assert.deepEqual((await formVersionIn(tx, form.id, 1))?.notificationEmails, ['sales@example.com']);
        assert.deepEqual((await formVersionIn(tx, form.id, 2))?.notificationEmails, []);
        assert.equal(await formVersionIn(tx, form.id, 3), undefined);
      });
    const page = await listVersions(context, { formId: form.id, limit: 1 });
    assert.deepEqual([page.items[0]?.version, page.nextCursor], [2, '2']);
    assert.equal((await listVersions(context, { formId: form.id, limit: 1, cursor: '2' })).items[0]?.version, 1);
  });

  test('an older version is served again, and the next one takes the next number', async () => {
    const form = await createForm(context, contactForm(siteId), world.studio.deps);
    await publish(form.id);
    await updateForm(context, { formId: form.id, name: 'Two' });
    await publish(form.id);
    const { schemaUrl: _schema, submitUrl: _submit, embed: _embed, ...again } = await publish(form.id, { version: 1 });
    assert.deepEqual(again, {
      formId: form.id,
      siteId,
      name: 'Two',
      version: 1,
      previousVersion: 2,
      changed: true,
      strangers: [],
    });
    assert.equal(
      (await getForm(context, { formId: form.id })).hasUnpublishedChanges,
      true,
      'the draft is that of version 2',
    );
    assert.equal((await publish(form.id, { version: 1 })).changed, false);
    assert.equal((await publish(form.id)).version, 3);
    assert.equal((await refused(publish(form.id, { version: 9 }))).code, 'not_found');
    const events = (await world.events(context.tenant)).slice(-5);
    assert.deepEqual(events, [
      'studio.form.published',
      'studio.form.updated',
      'studio.form.published',
      'studio.form.activated',
      'studio.form.published',
    ]);
  });

  test('a version is not served again once its contact field is gone', async () => {
    world.contactFields.add('budget');
    const form = await createForm(
      context,
      contactForm(siteId, {
        fields: [
          { name: 'email', label: 'E', type: 'email', mapsTo: 'email' },
          { name: 'budget', label: 'B', type: 'number', mapsTo: 'budget' },
        ],
      }),
      world.studio.deps,
    );
    await publish(form.id);
    await updateForm(context, {
      formId: form.id,
      fields: [{ name: 'email', label: 'E', type: 'email', mapsTo: 'email' }],
    });
    await publish(form.id);
    world.contactFields.delete('budget');
    assert.deepEqual(faults(await refused(publish(form.id, { version: 1 }))), {
      '/fields/1/mapsTo': 'unknown_field',
    });
    assert.equal((await getForm(context, { formId: form.id })).activeVersion, 2);
  });

  test('publishing what was published already gives no second number', async () => {
    const form = await createForm(context, contactForm(siteId), world.studio.deps);
    await publish(form.id);
    assert.deepEqual([(await publish(form.id)).changed, (await publish(form.id)).version], [false, 1]);
    const off = await unpublishForm(context, { formId: form.id }, world.studio.deps);
    assert.deepEqual([off.status, off.activeVersion, off.hasUnpublishedChanges], ['unpublished', null, false]);
    assert.deepEqual(
      [(await publish(form.id)).version, (await getForm(context, { formId: form.id })).status],
      [1, 'published'],
    );
    assert.equal((await unpublishForm(context, { formId: form.id }, world.studio.deps)).status, 'unpublished');
    assert.equal((await unpublishForm(context, { formId: form.id }, world.studio.deps)).status, 'unpublished');
  });

  test('a change made from an older revision is refused', async () => {
    const form = await createForm(context, contactForm(siteId), world.studio.deps);
    await updateForm(context, { formId: form.id, name: 'Mine', revision: 1 });
    assert.equal(
      (await refused(updateForm(context, { formId: form.id, name: 'Yours', revision: 1 }))).code,
      'form_changed',
    );
    assert.equal((await refused(publish(form.id, { revision: 1 }))).code, 'form_changed');
    assert.equal((await publish(form.id, { revision: 2 })).version, 1);
    assert.equal((await updateForm(context, { formId: form.id, name: 'Mine' })).revision, 2, 'nothing changed');
    assert.equal((await updateForm(context, { formId: form.id })).revision, 2, 'nothing was to be changed');
    assert.equal((await refused(updateForm(context, { formId: form.id, revision: 1 }))).code, 'form_changed');
  });

  test('an archived form is out of use and comes back as it was', async () => {
    const form = await createForm(context, contactForm(siteId), world.studio.deps);
    await publish(form.id);
    await archiveForm(context, { formId: form.id }, world.studio.deps);
    await archiveForm(context, { formId: form.id }, world.studio.deps);
    assert.equal((await getForm(context, { formId: form.id })).status, 'archived');
    const unpublishable = await refused(publish(form.id));
    assert.equal(unpublishable.code, 'form_not_found');
    assert.match(unpublishable.detail, /archived: restore it/);
    assert.match((await refused(getVersion(context, { formId: form.id, version: 9 }))).detail, /no version 9/);
    assert.equal((await refused(updateForm(context, { formId: form.id, name: 'x' }))).code, 'form_not_found');
    const listed = async (archived: boolean) =>
      (await listForms(context, { siteId, archived, limit: 200 })).items.some(({ id }) => id === form.id);
    assert.deepEqual([await listed(false), await listed(true)], [false, true]);
    assert.equal((await restoreForm(context, { formId: form.id }, world.studio.deps)).status, 'unpublished');
    assert.equal((await restoreForm(context, { formId: form.id }, world.studio.deps)).status, 'unpublished');
    assert.equal((await publish(form.id)).version, 1);
  });

  test('of another tenant are not found', async () => {
    const form = await createForm(context, contactForm(siteId), world.studio.deps);
    const other = await world.tenant();
    const { deps } = world.studio;
    const problems = await Promise.all(
      [
        getForm(other, { formId: form.id }),
        updateForm(other, { formId: form.id, name: 'x' }),
        publishForm(other, { formId: form.id }, deps),
        unpublishForm(other, { formId: form.id }, deps),
        archiveForm(other, { formId: form.id }, deps),
        restoreForm(other, { formId: form.id }, world.studio.deps),
        getVersion(other, { formId: form.id, version: 1 }),
        listVersions(other, { formId: form.id, limit: 1 }),
      ].map(refused),
    );
    assert.deepEqual(new Set(problems.map(({ code }) => code)), new Set(['form_not_found']));
    assert.equal((await refused(createForm(other, contactForm(siteId), deps))).code, 'not_found', 'its site');
    assert.equal((await refused(listForms(other, { siteId, limit: 5 }))).code, 'not_found', 'its site');
    assert.deepEqual((await listForms(other, { limit: 5 })).items, []);
  });

  test('many publishes at once make versions without a gap, and the last one is served', async () => {
    const form = await createForm(context, contactForm(siteId), world.studio.deps);
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        await updateForm(context, { formId: form.id, name: `Name ${index}` });
        await publish(form.id);
      }),
    );
    const { items } = await listVersions(context, { formId: form.id, limit: 200 });
    const last = items[0]?.version ?? 0;
    assert.deepEqual(
      items.map(({ version }) => version),
      Array.from({ length: last }, (_, index) => last - index),
    );
    const now = await getForm(context, { formId: form.id });
    assert.deepEqual([now.activeVersion, now.latestVersion, now.hasUnpublishedChanges], [last, last, false]);
  });

  test('who reads while versions are published sees whole ones, and never an older one after a newer', async () => {
    const { deps, storefront } = world.studio;
    const form = await createForm(context, contactForm(siteId), world.studio.deps);
    const fieldsOf = (version: number) => [
      { name: `only_${version}`, label: `Only ${version}`, type: 'text' as const },
    ];
    await updateForm(context, { formId: form.id, name: 'Version 1', fields: fieldsOf(1), targetEntityType: null });
    await publish(form.id);
    const issued = await issueKey(context, { siteId }, deps);
    const key = (await storefront.keyOf(issued.key ?? '')) as SiteKey;
    const done = new AbortController();
    const read = async (): Promise<number> => {
      let before = 0;
      let seen = 0;
      while (!done.signal.aborted) {
        const served = await storefront.published(key, form.id);
        const submitted = await world
          .system(context.tenant)
          .require(anyWork)
          .write(async (tx) => storefront.activeForm(tx, siteId, form.id));
        for (const one of [served?.form, submitted]) {
          assert.ok(one !== undefined);
          assert.deepEqual([one.name, one.fields[0]?.name], [`Version ${one.version}`, `only_${one.version}`]);
        }
        assert.ok((submitted?.version ?? 0) >= before);
        before = submitted?.version ?? 0;
        seen += 1;
      }
      return seen;
    };
    const readers = [read(), read(), read()];
    for (let version = 2; version <= 15; version += 1) {
      await updateForm(context, { formId: form.id, name: `Version ${version}`, fields: fieldsOf(version) });
      await publish(form.id);
      assert.equal((await storefront.published(key, form.id))?.form.version, version, 'at once, in this process');
    }
    done.abort();
    for (const seen of await Promise.all(readers)) assert.ok(seen > 0);
  });
});
