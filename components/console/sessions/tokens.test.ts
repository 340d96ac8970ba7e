import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { migrations, name } from '../component.ts';
import type { Issuer } from '../sign-in/issuers.ts';
import { createSealer } from './seal.ts';
import type { Sealed, Session } from './session.ts';
import { createSessionStore, type SessionStore } from './store.ts';
import { createTokens, type TokenFor } from './tokens.ts';

const issuer: Issuer = { issuer: 'https://id.example', clientId: 'c', secret: undefined, audience: undefined };
const person = { issuer: issuer.issuer, subject: 'ada' };
const hour = 3_600_000;

test('what an earlier version sealed opens, and at no other place', () => {
  const sealer = createSealer(Buffer.alloc(32, 7));
  const kept = 'sA0I_eh00Z3Za-9H7PD5MCcDJb4PTgO-Ib5UvTfjsQKe0aku2I9vsGvkE_VdOZFEaE53kkSKr_YY';
  assert.deepEqual(sealer.open(kept, 'session/42'), { token: 'abc', ü: [1, null] });
  assert.equal(sealer.open(kept, 'session/43'), undefined);
});

describe('the tokens of a session', () => {
  let db: TestDatabase;
  let pool: SqlPool;
  let store: SessionStore;
  /** As an identity provider that gives each refresh token once, and ends the grant where one is used again. */
  let valid: string;
  let renewals: number;
  let reachable: boolean;
  const now = Date.now();
  const grants = {
    renew: async (_issuer: Issuer, refresh: string, place: string) => {
      if (!reachable) throw Object.assign(new Error('down'), { status: 503 });
      if (refresh !== valid) return undefined;
      renewals += 1;
      valid = `refresh-${renewals}`;
      const mine = valid;
      await sleep(30);
      return { access: { token: `${place}-${renewals}`, until: now + hour }, refresh: mine };
    },
  };
  const aProcess = (): TokenFor => createTokens({ store, grants, issuerOf: () => issuer, clock: () => now });
  const opened = async (more: Partial<Sealed> = {}): Promise<readonly [string, Session]> => {
    const key = await store.start({ ...person, id: newId() }, 'test', {
      name: 'Ada',
      email: undefined,
      refresh: valid,
      access: { portal: { token: 'first', until: now + hour } },
      idToken: undefined,
      deciding: undefined,
      ...more,
    });
    const session = await store.find(key);
    assert.ok(session !== undefined);
    return [key, session];
  };
  before(async () => {
    db = await createTestDatabase([{ component: name, folder: migrations }]);
    pool = openPool({ url: db.appUrl, size: 8 });
    store = createSessionStore(pool, createSealer(Buffer.alloc(32, 7)));
  });
  beforeEach(() => {
    [valid, renewals, reachable] = ['refresh-0', 0, true];
  });
  after(async () => {
    await pool.close();
    await db[Symbol.asyncDispose]();
  });

  test('are used while they last, and renewed for an address that has none', async () => {
    const [key, session] = await opened();
    const tokenFor = aProcess();
    assert.equal(await tokenFor(key, session, 'portal', false), 'first');
    assert.equal(renewals, 0);
    assert.equal(await tokenFor(key, session, 'studio', false), 'studio-1');
    assert.equal((await store.find(key))?.access.portal?.token, 'first', 'the others stay');
  });

  test('are renewed by one of any number of requests and processes at a time', async () => {
    const [key, session] = await opened({ access: {} });
    const processes = [aProcess(), aProcess(), aProcess()];
    const asked = processes.flatMap((tokenFor) =>
      (['portal', 'accounting', 'portal'] as const).map(async (place) => tokenFor(key, session, place, false)),
    );
    const tokens = await Promise.all(asked);
    assert.equal(renewals, 2, 'once for each address');
    assert.equal(new Set(tokens).size, 2);
    assert.ok((await store.find(key)) !== undefined, 'the session goes on');
  });

  test('are kept whatever else is kept in the session at the same time', async () => {
    const [key, session] = await opened({ access: {} });
    const deciding = { until: now + 900_000, access: { portal: { token: 'decides', until: now + hour } } };
    await Promise.all([
      aProcess()(key, session, 'portal', false),
      store.change(session, (sealed) => ({ ...sealed, deciding })),
    ]);
    const after = await store.find(key);
    assert.equal(after?.refresh, valid);
    assert.equal(after?.deciding?.access.portal?.token, 'decides');
  });

  test('end the session where the identity provider has ended the grant, and not where it is out of reach', async () => {
    const [key, session] = await opened({ access: {} });
    reachable = false;
    await assert.rejects(aProcess()(key, session, 'portal', false), /down/);
    assert.ok((await store.find(key)) !== undefined);
    reachable = true;
    valid = 'another';
    await assert.rejects(aProcess()(key, session, 'portal', false), { code: 'unauthenticated' });
    assert.equal(await store.find(key), undefined);
  });

  test('that decide are for what changes something, and for a quarter of an hour', async () => {
    const access = { portal: { token: 'decides', until: now + hour } };
    const tokenFor = aProcess();
    const [key, session] = await opened({ deciding: { until: now + 1, access } });
    assert.equal(await tokenFor(key, session, 'portal', true), 'decides');
    assert.equal(await tokenFor(key, session, 'portal', false), 'first');
    const [late, over] = await opened({ deciding: { until: now, access } });
    assert.equal(await tokenFor(late, over, 'portal', true), 'first');
  });

  test('are nobody’s once the session has been left alone for eight hours, or has lasted a day', async () => {
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const [key, { id }] = await opened();
    await admin.query(
      sql`update console.session set seen_at = clock_timestamp() - interval '8 hours' where session_id = ${id}::uuid`,
    );
    assert.equal(await store.find(key), undefined);
    const [other, { id: second }] = await opened();
    await admin.query(sql`update console.session set ends_at = clock_timestamp() where session_id = ${second}::uuid`);
    assert.equal(await store.find(other), undefined);
    const [row] = await pool.query<{ gone: number }>(sql`select console.tidy_sessions(100) as gone`);
    assert.equal(row?.gone, 1);
  });
});
