import { asItWas, operation } from '@steward/access';
import { fail, newId } from '@steward/kernel';
import { addressDigest, isAddress } from '@steward/mail';
import { statement, type TenantTransaction } from '@steward/sql';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { event } from '../events.ts';
import { amends } from '../operations.ts';
import type { LetterPorts } from '../ports.ts';
import {
  brandLetters,
  byBrand,
  letterSettingsContents,
  letterSettingsOf,
  type LetterSettings,
  mostAddresses,
  noBrand,
  presentSettings,
  selectLetterSettings,
} from './settings.ts';

const address = z.email({ abort: true }).max(254).refine(isAddress, 'Give one e-mail address');

/**
 * Changes what is given and nothing else. A person approves it: buyers answer there, and letters about orders say who bought. An address that
 * is to confirm first is asked; giving the list again asks again, once a day.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers
 */
export const updateLetterSettings = operation(
  {
    ...amends,
    name: 'service_update_letter_settings',
    input: z.strictObject({
      ...byBrand,
      replyTo: address.nullable().optional().meta({
        description: 'Address that buyers answer letters to. Null: where the server sends from.',
      }),
      newOrdersTo: z.array(address).max(mostAddresses).nullable().optional().meta({
        description:
          'Addresses that are told of new orders and edits, members’ or others. The whole list; empty: nobody is told. Null: the owners.',
      }),
    }),
    answer: brandLetters,
    errors: { insufficient_role: null, not_found: 'brandId' },
  },
  async (scope, { brandId, replyTo, newOrdersTo }, { brandName, addressing }: LetterPorts) =>
    scope.write(async (tx) => {
      // Letters about what an archived brand sold go on.
      if ((await brandName({ context: tx.context, read: tx.query }, brandId)) === undefined) throw noBrand();
      refuseTwice(newOrdersTo ?? []);
      const before = await holdSettings(tx, brandId);
      const next = {
        replyTo: replyTo === undefined ? before.replyTo : replyTo,
        newOrdersTo: newOrdersTo === undefined ? before.newOrdersTo : withIds(newOrdersTo, before),
      };
      const kept = new Set(before.newOrdersTo?.map(({ address: one }) => one));
      const asked = await addressing.ask(tx, brandId, newOrdersTo ?? [], kept);
      const changed = !isDeepStrictEqual(next, { replyTo: before.replyTo, newOrdersTo: before.newOrdersTo });
      const after = changed ? await keep(tx, brandId, { ...next, version: before.version + 1 }) : before;
      const answer = await presentSettings(tx, brandId, after, addressing);
      return changed || asked > 0 ? answer : asItWas(answer);
    }),
);

/** One mailbox is told once, however its address is written. */
function refuseTwice(addresses: readonly string[]): void {
  const digests = addresses.map(addressDigest);
  const index = digests.findIndex((digest, at) => digests.indexOf(digest) < at);
  if (index < 0) return;
  const detail = 'This address is already in the list: leave it out.';
  const errors = [{ pointer: `/newOrdersTo/${index}`, code: 'duplicate_email', detail }];
  throw fail('invalid_request', `/newOrdersTo/${index}: ${detail}`, { errors });
}

/** An address that stays keeps its id: letters to it that wait are still sent. */
function withIds(addresses: readonly string[] | null, before: LetterSettings): LetterSettings['newOrdersTo'] {
  const ids = new Map(before.newOrdersTo?.map((one) => [one.address, one.id]));
  return addresses?.map((one) => ({ id: ids.get(one) ?? newId(), address: one })) ?? null;
}

/** One change at a time, of settings that have no row yet too. */
async function holdSettings(tx: TenantTransaction, brandId: string): Promise<LetterSettings> {
  const { tenant } = tx.context;
  await tx.query(
    statement(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`orders.letter_setting ${tenant} ${brandId}`]),
  );
  return letterSettingsOf((await tx.query(selectLetterSettings(tenant, brandId)))[0]);
}

async function keep(tx: TenantTransaction, brandId: string, next: LetterSettings): Promise<LetterSettings> {
  const { tenant } = tx.context;
  const { replyTo, newOrdersTo, version } = next;
  await tx.query(
    statement(
      `insert into orders.letter_setting (tenant_id, brand_id, reply_to, new_orders_to, version)
       values ($1::uuid, $2::uuid, $3, $4::jsonb, $5::int)
       on conflict (tenant_id, brand_id) do update set reply_to = excluded.reply_to, new_orders_to = excluded.new_orders_to,
         version = excluded.version, salt = gen_random_uuid(), updated_at = clock_timestamp()`,
      [tenant, brandId, replyTo, newOrdersTo === null ? null : JSON.stringify(newOrdersTo), version],
    ),
  );
  const [contents] = await tx.query<{ digest: string }>(
    statement(`select digest from (${letterSettingsContents}) c where tenant_id = $1::uuid and key = $2::uuid`, [
      tenant,
      brandId,
    ]),
  );
  tx.record(
    event('commerce.letter_settings.changed', {
      brand_id: brandId,
      version,
      content_sha256: contents?.digest ?? '',
    }),
  );
  return next;
}
