import type { Identity, Member } from '@steward/identity';
import { owe } from '@steward/mail';
import type { TenantScope, TenantTransaction } from '@steward/sql';
import { manageWebhooks } from '../permissions.ts';
import type { Reason } from '../words.ts';

/** To the mail component: whose letters they are. */
export const component = 'deliveries';

/** Letters about one stop at most. */
const most = 20;

/** The people who can do something about a webhook. */
export async function readersIn(
  { memberships }: Pick<Identity, 'memberships'>,
  scope: Pick<TenantScope, 'read'>,
): Promise<Member[]> {
  const found: Member[] = [];
  let after: Member['principal'] | undefined;
  for (;;) {
    const page = await memberships.list(scope, { limit: 200, after });
    found.push(
      ...page.filter(
        ({ principal, role, suspendedAt }) =>
          principal.type === 'user' && manageWebhooks.roles.has(role) && suspendedAt === undefined,
      ),
    );
    after = page.at(-1)?.principal;
    if (page.length < 200 || found.length >= most) return found.slice(0, most);
  }
}

/** Owes a letter to each of them, from the caller's transaction on: one for each stop. */
export async function oweLetters(
  tx: TenantTransaction,
  { identity }: { readonly identity: Pick<Identity, 'memberships'> },
  { webhookId, reason, version }: { webhookId: string; reason: Reason; version: number },
): Promise<void> {
  const readers = (await readersIn(identity, { read: tx.query })).map(({ principal: { id } }) => id);
  await owe(tx, { by: component, about: `${webhookId} ${reason} ${version}`, readers });
}
