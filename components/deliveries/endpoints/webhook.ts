import { hash } from 'node:crypto';
import { count, field, fits, id, line, moment, nullable, oneOf, type Of, shape, text, texts } from '@steward/contract';
import { knownToLeft, madeBy, makerSha256, type Maker } from '@steward/identity';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { deliveriesFail } from '../errors.ts';
import { orderings, reasons, signings, statuses } from '../words.ts';

/** Of the endpoint `e`: those whom a secret was shown to that still signs. */
export const knowers = `select s.tenant_id, s.created_by, s.created_by_type, s.created_through from deliveries.secret s
  where s.tenant_id = e.tenant_id and s.endpoint_id = e.endpoint_id and s.sealed is not null and s.public_key is null
    and coalesce(s.expires_at > clock_timestamp(), true)`;

/** Where events of a tenant are sent: of `deliveries.endpoint` named `e`. */
export const webhook = shape('e', {
  id: id('e.endpoint_id'),
  url: text(),
  /** Null: everything that is announced. */
  types: nullable(texts()),
  description: nullable(text()),
  ordering: oneOf(orderings),
  signing: oneOf(signings),
  /** The shopping agent that is told there of orders that it placed; null: it is the organization's own. */
  agentId: nullable(id()),
  /** In whose name the agent is told. */
  brandId: nullable(id()),
  /** Null: as many as are answered. */
  perSecond: nullable(count()),
  status: oneOf(statuses),
  reason: nullable(oneOf(reasons)),
  /** Of ed25519: with any of these receivers check signatures, the newest first. */
  publicKeys: field(
    z.array(z.string()),
    `array(select s.public_key from deliveries.secret s where s.tenant_id = e.tenant_id and s.endpoint_id = e.endpoint_id
      and s.sealed is not null and s.public_key is not null and coalesce(s.expires_at > clock_timestamp(), true) order by s.created_at desc, s.secret_id)`,
  ),
  ...madeBy('e'),
  /** Somebody who has no access any more was shown a secret that still signs: make a new one. */
  secretKnownToLeft: knownToLeft(knowers),
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
  statusAt: moment(),
});
export type Webhook = Of<typeof webhook>;

export const byWebhook = { webhookId: z.uuid().meta({ description: 'From service_list_webhooks.' }) };

const longestUrl = 2_000;
const mostTypes = 200;

export const given = {
  url: z
    .string()
    .min(1)
    .max(longestUrl)
    .check(fits(/^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/u, 'Give an https address'))
    .meta({
      description: 'The https address that receives POST requests. It must be public, and redirects are not followed.',
    }),
  types: z.array(z.string().min(1).max(100)).min(1).max(mostTypes).nullable().meta({
    description:
      'Types of events from service_list_event_types, such as `commerce.order.placed`. null: every type, also future ones.',
  }),
  description: line(200).nullable().meta({ description: 'What it is for.' }),
  ordering: z.enum(orderings).meta({
    description:
      '`subject`: events about one thing, such as an order, arrive one after the other; a failing one holds only those about ' +
      'the same thing. `parallel`: no order.',
  }),
  perSecond: z
    .int()
    .min(1)
    .max(1_000)
    .nullable()
    .meta({ description: 'Most requests in a second; null: no such limit.' }),
};

/** Webhooks of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectWebhooks = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${webhook.columns} from deliveries.endpoint e where e.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

export const noWebhook = (): Error => fail('not_found', 'There is no such webhook: list the webhooks for their ids.');

/** The webhook, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdWebhook(tx: TenantTransaction, webhookId: string): Promise<Webhook> {
  const [row] = await tx.query(
    selectWebhooks('e.endpoint_id = $2::uuid for no key update of e', tx.context.tenant, webhookId),
  );
  if (row === undefined) throw noWebhook();
  return webhook.read(row);
}

/** @throws Problem `webhook_of_agent` (409) where it is a shopping agent's. @param mend what to do instead */
export function requireOwn({ agentId }: Pick<Webhook, 'agentId'>, mend: string): void {
  if (agentId !== null) throw deliveriesFail('webhook_of_agent', mend);
}

/** Changes columns of a webhook that the transaction holds. @param sets with the values from `$3` on */
export async function setWebhook(
  tx: TenantTransaction,
  webhookId: string,
  sets: string,
  values: readonly unknown[] = [],
): Promise<Webhook> {
  const [row] = await tx.query(
    statement(
      `update deliveries.endpoint e set ${sets}, version = version + 1, updated_at = clock_timestamp()
       where e.tenant_id = $1::uuid and e.endpoint_id = $2::uuid returning ${webhook.columns}`,
      [tx.context.tenant, webhookId, ...values],
    ),
  );
  if (row === undefined) throw noWebhook();
  return webhook.read(row);
}

/** Whether something signs for it. */
export async function hasSecret(
  tx: TenantTransaction,
  { id, signing }: Pick<Webhook, 'id' | 'signing'>,
): Promise<boolean> {
  if (signing === 'rfc9421') return true;
  const found = await tx.query(
    statement(
      `select from deliveries.secret s where s.tenant_id = $1::uuid and s.endpoint_id = $2::uuid and s.sealed is not null
         and coalesce(s.expires_at > clock_timestamp(), true) limit 1`,
      [tx.context.tenant, id],
    ),
  );
  return found.length > 0;
}

const elsewhere = (column: string, value: string): string =>
  `${column} = case when url = $3 then ${column} else ${value} end`;

/** Assignments of the values of `aimedBy`. Whoever has a webhook send elsewhere made it from then on: who made it before has nothing of what is sent there. */
export const aimed = `url = $3, ${elsewhere('created_by', '$4')}, ${elsewhere('created_by_type', '$5')}, ${elsewhere('created_through', '$6')}`;
export const aimedBy = (url: string, { by, byType, through }: Maker): readonly unknown[] => [url, by, byType, through];

/** What the log tells of a webhook. */
export const termsOf = (one: Webhook) => ({
  endpoint_id: one.id,
  version: one.version,
  status: one.status,
  reason: one.reason,
  url_sha256: hash('sha256', one.url),
  maker_sha256: makerSha256(one),
  types: one.types,
  ordering: one.ordering,
  signing: one.signing,
  per_second: one.perSecond,
  agent_id: one.agentId,
  brand_id: one.brandId,
});

/** The host of an address, for sentences: the rest may hold a token. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => URL.parse(url)?.host ?? 'no address';
