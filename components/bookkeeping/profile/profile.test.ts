import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { roles } from '@steward/access';
import { byDoor, createWorld, faults, refused, type World } from '../fixtures/world.ts';
import { getPostingProfile } from './get.ts';
import { profileTools } from './tools.ts';
import { updatePostingProfile } from './update.ts';

const read = byDoor(getPostingProfile);
const change = byDoor(updatePostingProfile);

describe('the posting profile', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is drafts until somebody decides, with the accounts that the books have', async () => {
    const { mode, version, ...accounts } = await read(await world.tenant(), {});
    const { salesAccount, shippingAccount, clearingAccount, inventoryAccount, costOfSalesAccount, shrinkageAccount } =
      accounts;
    assert.deepEqual([mode, version], ['drafts', 1]);
    assert.deepEqual(
      [salesAccount, shippingAccount, clearingAccount, inventoryAccount, costOfSalesAccount, shrinkageAccount].map(
        (one) => one?.code,
      ),
      ['4000', '4000', '1250', '1200', '5000', '5200'],
    );
    assert.equal(salesAccount?.chosen, false);
    assert.deepEqual(
      accounts.transferAccounts.map(({ currency, account: { code, chosen } }) => [currency, code, chosen]),
      [['EUR', '1000', false]],
    );
    assert.deepEqual([accounts.undepositedAccount?.code, accounts.undepositedAccount?.chosen], ['1190', false]);
  });

  test('names no account where the books have none, and where money is on its way by default', async () => {
    const context = await world.tenant({ persona: 'services' });
    const { inventoryAccount, clearingAccount, shrinkageAccount } = await read(context, {});
    assert.equal(inventoryAccount, null);
    assert.equal(clearingAccount?.code, '1190');
    assert.deepEqual([shrinkageAccount?.code, shrinkageAccount?.chosen], ['5000', false]);
    const chosen = await change(context, { costOfSalesAccount: '5100' });
    assert.deepEqual([chosen.shrinkageAccount?.code, chosen.shrinkageAccount?.chosen], ['5100', false]);
  });

  test('changes what is given, once, and records which members without what they say', async () => {
    const context = await world.tenant();
    const made = await change(context, {
      mode: 'post',
      shippingAccount: '4050',
      clearingAccounts: [{ handler: 'card', account: '1250' }],
    });
    assert.deepEqual([made.mode, made.version], ['post', 2]);
    assert.deepEqual([made.shippingAccount?.code, made.shippingAccount?.chosen], ['4050', true]);
    assert.deepEqual(
      made.clearingAccounts.map(({ handler, account }) => [handler, account.code]),
      [['card', '1250']],
    );
    assert.deepEqual(await change(context, { mode: 'post', shippingAccount: '4050' }), made);
    assert.deepEqual(await read(context, {}), made);
    const back = await change(context, { shippingAccount: null, clearingAccounts: [] });
    assert.deepEqual([back.shippingAccount?.code, back.clearingAccounts, back.version], ['4000', [], 3]);
    assert.deepEqual(await world.events(context.tenant), [
      'commerce.posting_profile.changed',
      'commerce.posting_profile.changed',
    ]);
  });

  test('takes only accounts that fit, and says where which does not', async () => {
    const context = await world.tenant();
    const problem = await refused(
      change(context, {
        salesAccount: '1000',
        shippingAccount: 'nowhere',
        inventoryAccount: '1100',
        costOfSalesAccount: '4000',
        shrinkageAccount: '1200',
        clearingAccounts: [
          { handler: 'card', account: '1000' },
          { handler: 'card', account: '1100' },
        ],
      }),
    );
    assert.equal(problem.code, 'posting_account_unusable');
    assert.deepEqual(Object.keys(faults(problem)), [
      '/salesAccount',
      '/shippingAccount',
      '/inventoryAccount',
      '/costOfSalesAccount',
      '/shrinkageAccount',
      '/clearingAccounts/1/handler',
      '/clearingAccounts/1/account',
    ]);
    assert.equal((await read(context, {})).version, 1);
  });

  test('two first changes at once wait for each other', async () => {
    const context = await world.tenant();
    await Promise.all([change(context, { mode: 'post' }), change(context, { shippingAccount: '4050' })]);
    const { mode, shippingAccount, version } = await read(context, {});
    assert.deepEqual([mode, shippingAccount?.code, version], ['post', '4050', 3]);
  });

  test('is of whoever answers for the books, and decided by a person', async () => {
    const members = { alice: 'owner' as const, ...Object.fromEntries(roles.map((role) => [role, role])) };
    const { tenant } = await world.tenant({ members });
    const may: string[] = [];
    for (const role of roles)
      try {
        await change(world.as(tenant, role), { mode: role === 'owner' ? 'off' : 'post' });
        may.push(role);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'insufficient_role');
      }
    assert.deepEqual(may, ['owner', 'admin', 'accountant']);
    assert.equal(profileTools.find(({ name }) => name === 'service_update_posting_profile')?.tier, 'approval');
  });
});
