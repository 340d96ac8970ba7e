import { operation } from '@steward/access';
import { line } from '@steward/contract';
import { makerOf } from '@steward/identity';
import { fail, newId } from '@steward/kernel';
import { sql, sqlState, statement, type TenantTransaction } from '@steward/sql';
import { locationsInUse } from '@steward/stock';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { marketplaceFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { shopName } from '../shopify/shop.ts';
import { bindInstallation, claimInstallation, codeForm } from '../installation/claim.ts';
import { connects } from '../operations.ts';
import type { ChannelPorts } from '../ports.ts';
import { beginImport } from '../imports/begin.ts';
import { channel } from './channel.ts';
import { sealToken } from './token.ts';

/** Of one tenant. */
export const mostChannels = 50;

/**
 * Connects a shop that installed the app, by the code that the browser was shown: once, and for the organization that showed it first. A shop of this organization that was disconnected, or that
 * installed the app anew, is the same channel again, and what is not given of it stays.
 * @throws Problem `invalid_request` (400) with pointers, `installation_unknown` (422), `channel_exists`, `channel_limit` (409)
 */
export const connectChannel = operation(
  {
    ...connects,
    name: 'service_connect_channel',
    input: z.strictObject({
      code: z
        .string()
        .max(60)
        .regex(codeForm, 'Give the code as the page of the installation shows it')
        .meta({ description: 'From the page on which the installation of the app ended, within an hour.' }),
      shop: z.string().max(200).regex(shopName, 'Give the shop as one.myshopify.com').optional().meta({
        description:
          'The shop that it is meant to be, such as `one.myshopify.com`: a code of another one is refused. Default: whichever the code is of.',
      }),
      name: line(200)
        .optional()
        .meta({ description: 'What people call the channel. Default: as before, or the shop.' }),
      brandId: z.uuid().optional().meta({
        description:
          'Brand of its orders and products, from service_list_brands. Default: as before, or the default brand.',
      }),
      locationId: z.uuid().optional().meta({
        description: 'Where its stock is, from service_list_locations. Default: as before, or the only one in use.',
      }),
    }),
    answer: channel.answer,
    errors: {
      installation_unknown: 'code',
      channel_exists: null,
      channel_limit: null,
    },
  },
  async (scope, { code, shop: meant, name, brandId, locationId }, ports: ChannelPorts) => {
    await bindInstallation(ports.pool, scope.context.tenant, code);
    return scope
      .write(async (tx) => {
        const { tenant } = tx.context;
        const { by, byType, through } = makerOf(tx.context);
        if (brandId !== undefined) await brandOf(tx, ports, brandId);
        if (locationId !== undefined) await placeOf(tx, locationId);
        const claimed = await claimInstallation(tx, ports.secret, code);
        if (claimed === undefined)
          throw marketplaceFail(
            'installation_unknown',
            'The code is used, older than an hour, or another organization’s: install the app again for another one.',
          );
        const { shop, token } = claimed;
        if (meant !== undefined && meant !== shop) throw unknown('shop', `The code is of ${shop}.`);
        await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`channels ${tenant}`}, 0))`);
        const [taken] = await tx.query<{ tenant_id: string }>(
          sql`select tenant_id from marketplace.channel_of_shop('shopify', ${shop})`,
        );
        if (taken !== undefined && taken.tenant_id !== tenant) throw exists();
        const [own] = await tx.query<{ channel_id: string; name: string; brand_id: string; location_id: string }>(sql`
          select channel_id, name, brand_id, location_id from marketplace.channel
          where tenant_id = ${tenant}::uuid and provider = 'shopify' and shop = ${shop} for update`);
        if (own === undefined) await requireRoom(tx);
        const channelId = own?.channel_id ?? newId();
        const brand = await brandOf(tx, ports, brandId, own?.brand_id);
        const location = await placeOf(tx, locationId, own?.location_id);
        const sealed = await sealToken(tx, ports.secrets, channelId, token);
        const [row = {}] = await tx.query(
          statement(
            `insert into marketplace.channel as c (tenant_id, channel_id, provider, shop, name, brand_id, location_id, status, token, scopes,
               created_by, created_by_type, created_through)
             values ($1::uuid, $2::uuid, 'shopify', $3, $4, $5::uuid, $6::uuid, 'connected', $7, $8::text[], $9, $10, $11)
             on conflict (tenant_id, channel_id) do update set name = excluded.name, brand_id = excluded.brand_id, location_id = excluded.location_id,
               status = 'connected', token = excluded.token, scopes = excluded.scopes, webhooks_at = null, version = c.version + 1,
               created_by = excluded.created_by, created_by_type = excluded.created_by_type, created_through = excluded.created_through,
               connected_at = clock_timestamp(), updated_at = clock_timestamp()
             returning ${channel.columns}`,
            [
              tenant,
              channelId,
              shop,
              name ?? own?.name ?? shop,
              brand,
              location,
              sealed,
              token.scopes ?? [],
              by,
              byType,
              through,
            ],
          ),
        );
        await beginImport(tx, channelId);
        const made = channel.read(row);
        tx.record(
          event('commerce.channel.connected', {
            channel_id: made.id,
            version: made.version,
            provider: made.provider,
            shop,
            content_sha256: await contentOf(tx, made.id),
          }),
        );
        tx.publish(
          announcement('commerce.channel.changed', { channelId: made.id, status: 'connected' }, { subject: made.id }),
        );
        tx.afterCommit(ports.wake);
        return made;
      })
      .catch((error: unknown) => {
        // Another organization has connected it in the meantime.
        if (sqlState(error) === '23505') throw exists();
        throw error;
      });
  },
);

const exists = (): Error =>
  marketplaceFail(
    'channel_exists',
    'The shop is connected to another organization: it is disconnected there first, or the app uninstalled in the shop.',
  );

const unknown = (member: string, detail: string): Error =>
  fail('invalid_request', detail, { errors: [{ pointer: `/${member}`, code: 'unknown', detail }] });

/** @param before what the channel had, if it is still in use. @throws Problem `invalid_request` (400) */
async function brandOf(
  tx: TenantTransaction,
  { brandIn }: Pick<ChannelPorts, 'brandIn'>,
  wanted: string | undefined,
  before?: string,
): Promise<string> {
  const kept = wanted === undefined && before !== undefined ? await brandIn(tx, before) : undefined;
  const brand = kept ?? (await brandIn(tx, wanted));
  if (brand === undefined) throw unknown('brandId', 'There is no such brand in use in this tenant.');
  return brand;
}

/** @param before what the channel had, if it is still in use. @throws Problem `invalid_request` (400) */
async function placeOf(tx: TenantTransaction, wanted: string | undefined, before?: string): Promise<string> {
  const places = await locationsInUse(tx);
  const [first, ...others] = places;
  if (wanted === undefined && before !== undefined && places.some(({ id }) => id === before)) return before;
  if (wanted === undefined && others.length > 0)
    throw unknown('locationId', 'There are several locations: name the one where the stock of the channel is.');
  const found = wanted === undefined ? first : places.find(({ id }) => id === wanted.toLowerCase());
  if (found === undefined)
    throw unknown('locationId', 'There is no such location in use in this tenant: service_create_location adds one.');
  return found.id;
}

async function requireRoom(tx: TenantTransaction): Promise<void> {
  const [row] = await tx.query<{ held: number }>(
    sql`select count(*)::int as held from marketplace.channel where tenant_id = ${tx.context.tenant}::uuid`,
  );
  if ((row?.held ?? 0) >= mostChannels)
    throw marketplaceFail('channel_limit', `An organization has ${mostChannels} channels at most.`);
}
