import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import fc from 'fast-check';
import { createWorld, submit, type World } from '../fixtures/world.ts';
import { defineContactField } from '../schema/define.ts';

// The rules of resolving a contact, written down a second time in the plainest way, beside the real thing.

interface Known {
  email: string | undefined;
  phone: string | undefined;
  name: string | undefined;
}

interface Said {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly name?: string | undefined;
}

const emails = ['a@ex.com', 'b@ex.com', 'c@ex.com'];
const phones = ['+4930123456', '+4930123457', '+4930123458'];
const names = ['Ada', 'Grace'];
const maybe = (values: readonly string[]): fc.Arbitrary<string | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined });
const said: fc.Arbitrary<Said> = fc
  .record({ email: maybe(emails), phone: maybe(phones), name: maybe(names) })
  .filter(({ email, phone, name }) => (email ?? phone ?? name) !== undefined);

/** Which contact it is, by its place in the list, and whose the phone is where that is another one. */
function resolve(contacts: Known[], { email, phone, name }: Said): { at: number; conflict: number | undefined } {
  const find = (test: (one: Known) => boolean): number | undefined => {
    const at = contacts.findIndex(test);
    return at === -1 ? undefined : at;
  };
  const byMail = email === undefined ? undefined : find((one) => one.email === email);
  const byPhone = phone === undefined ? undefined : find((one) => one.phone === phone);
  const other = byPhone === undefined ? undefined : contacts[byPhone];
  const phoneIsTheirs = byMail === undefined && (email === undefined || other?.email === undefined);
  let at =
    email === undefined && phone === undefined
      ? find((one) => one.name === name && one.email === undefined && one.phone === undefined)
      : (byMail ?? (phoneIsTheirs ? byPhone : undefined));
  const conflict = byPhone !== undefined && byPhone !== at ? byPhone : undefined;
  const free = conflict === undefined ? phone : undefined;
  at ??= contacts.push({ email: undefined, phone: undefined, name: undefined }) - 1;
  const contact = contacts[at];
  if (contact !== undefined) {
    contact.email ??= email;
    contact.phone ??= free;
    contact.name ??= name;
  }
  return { at, conflict };
}

describe('resolving contacts, beside a model', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const stored = async (tenant: string): Promise<Known[]> =>
    (
      await world.admin.query(
        sql`select contact_id, email, phone, name from crm.contact where tenant_id = ${tenant}::uuid order by created_at`,
      )
    ).map((row) => ({
      email: (row['email'] as string | null) ?? undefined,
      phone: (row['phone'] as string | null) ?? undefined,
      name: (row['name'] as string | null) ?? undefined,
    }));

  test('one after the other, both say the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 14 }), async (all) => {
        const context = await world.tenant();
        const model: Known[] = [];
        const ids: string[] = [];
        for (const one of all) {
          const expected = resolve(model, one);
          const real = await submit(context, one);
          ids[expected.at] ??= real.contactId;
          assert.equal(real.contactId, ids[expected.at], JSON.stringify(one));
          assert.equal(real.conflict, expected.conflict === undefined ? undefined : ids[expected.conflict]);
        }
        assert.deepEqual(await stored(context.tenant), model);
      }),
      { numRuns: 40 },
    );
  });

  test('all at once, nobody is there twice, nobody is lost, and whoever is asked for again is found', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 2, maxLength: 24 }), async (all) => {
        const context = await world.tenant();
        const answers = await Promise.all(all.map(async (one) => submit(context, one)));
        const contacts = await stored(context.tenant);
        assert.equal(answers.filter(({ created }) => created).length, contacts.length);
        const held = (key: keyof Known): string[] =>
          contacts
            .map((one) => one[key])
            .filter((value) => value !== undefined)
            .toSorted();
        const given = (key: keyof Known, from = all): string[] =>
          [...new Set(from.map((one) => one[key]).filter((value) => value !== undefined))].toSorted();
        assert.deepEqual(held('email'), given('email'), 'every address is somebody’s, once');
        assert.equal(new Set(held('phone')).size, held('phone').length, 'no phone is held twice');
        // A second phone of somebody is not kept; one that came alone is.
        const alone = given(
          'phone',
          all.filter(({ email }) => email === undefined),
        );
        assert.ok(new Set(alone).isSubsetOf(new Set(held('phone'))));
        const before = contacts.length;
        for (const [index, one] of all.entries()) {
          const again = await submit(context, one);
          assert.equal(again.created, false, JSON.stringify(one));
          if (one.email !== undefined || one.phone === undefined)
            assert.equal(again.contactId, answers[index]?.contactId, JSON.stringify(one));
        }
        assert.equal((await stored(context.tenant)).length, before);
      }),
      { numRuns: 30 },
    );
  });

  test('whatever is typed is kept, or refused as the caller’s fault', async () => {
    const context = await world.tenant();
    for (const [key, type] of [
      ['text', 'text'],
      ['notes', 'long_text'],
      ['count', 'number'],
      ['site', 'url'],
      ['at', 'datetime'],
    ] as const)
      await defineContactField(context, { key, type });
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.emailAddress(),
      fc.webUrl(),
      fc.date().map(String),
      fc.double().map(String),
      fc.stringMatching(/^\+?[0-9 ()ext;=-]{3,40}$/),
      fc.jsonValue(),
    );
    const kept = { kept: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            email: fc.oneof({ weight: 4, arbitrary: fc.emailAddress() }, typed),
            phone: fc.oneof({ weight: 4, arbitrary: fc.stringMatching(/^030[0-9]{6,8}( ext 1[0-9]{0,20})?$/) }, typed),
            name: fc.oneof({ weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) }, typed),
          },
          { requiredKeys: [] },
        ),
        fc.dictionary(fc.constantFrom('text', 'notes', 'count', 'site', 'at'), typed, { maxKeys: 1 }),
        async (identity, custom) => {
          try {
            await submit(context, { ...identity, custom, defaultCountry: 'DE' });
            kept.kept += 1;
          } catch (error) {
            assert.ok(error instanceof Problem && error.status === 400, String(error));
            kept.refused += 1;
          }
        },
      ),
      { numRuns: 400 },
    );
    assert.ok(kept.kept > 20 && kept.refused > 20, JSON.stringify(kept));
  });
});
