import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { openPool, sql, statement, transact } from '@steward/sql';
import { createWorld, submit, type Running, type World } from '../fixtures/world.ts';

let world: World;
let house: Running;
before(async () => {
  world = await createWorld();
  house = await world.start();
});
after(async () => world[Symbol.asyncDispose]());

test('the guide’s way to erase somebody leaves nothing of them, and everybody else as they were', async () => {
  const guide = await readFile(new URL('../../../docs/guides/contacts.md', import.meta.url), 'utf8');
  const recipe = /## Erasing somebody[^]*?```sql\n(?<sql>[^]*?)```/.exec(guide)?.groups?.['sql'] ?? '';
  const shop = await house.shop();
  const data = { email: 'gone@example.com', full_name: 'Gone Girl', message: 'Forget me' };
  const { body } = await submit(house, shop, { data });
  const { body: once } = await submit(house, shop, { data: { ...data, email: 'gone@old.example' } });
  await submit(house, shop, { data: { email: 'stays@example.com' } });
  const tenant = shop.context.tenant;
  const id = String(body['contactId']);
  await world.admin.query(sql`
    update crm.contact set merged_into = ${id}::uuid where contact_id = ${String(once['contactId'])}::uuid`);
  const owner = openPool({ url: world.db.ownerUrl, size: 1 });
  try {
    const steps = recipe.replaceAll('<tenant id>', tenant).replaceAll('<contact id>', id).split(';');
    assert.equal(steps.length, 8 + 1);
    await transact(owner, [], async (tx) => {
      for (const step of steps.slice(1, -2)) await tx.query(statement(step, []));
    });
  } finally {
    await owner.close();
  }
  const left = await world.admin.query(sql`
    select (select count(*)::int from crm.contact where tenant_id = ${tenant}::uuid) as contacts,
      (select count(*)::int from crm.timeline_entry where tenant_id = ${tenant}::uuid) as entries,
      (select string_agg(data, '') from commerce.submission where tenant_id = ${tenant}::uuid) as data,
      (select count(*)::int from crm.contact_term t where tenant_id = ${tenant}::uuid
        and not exists (select from crm.contact c where c.tenant_id = t.tenant_id and c.contact_id = t.contact_id)) as terms`);
  assert.deepEqual(left, [{ contacts: 1, entries: 1, data: '{"email":"stays@example.com"}', terms: 0 }]);
  const again = await submit(house, shop, { data });
  assert.equal(again.status, 201);
  assert.notEqual(again.body['contactId'], id);
});
