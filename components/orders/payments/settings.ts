import { asItWas, operation } from '@steward/access';
import { count, field, type Of, oneOf, remarks, shape } from '@steward/contract';
import { type Row, statement, type Statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ordersFail } from '../errors.ts';
import { event } from '../events.ts';
import { decides, reads } from '../operations.ts';
import { manualMethods } from './handlers/manual.ts';
import { captureTimes } from './words.ts';

const offered = z.object({
  method: z.enum(manualMethods),
  /** Shown to buyers who choose it, such as bank details. */
  instructions: z.string().nullable(),
  /** How many days after the buyer chose it an order that is not paid is cancelled; null: never. */
  payWithinDays: z.int().nullable(),
});
type Offered = z.output<typeof offered>;
/** Those that were set before it could be said have none. */
type StoredOffered = Omit<Offered, 'payWithinDays'> & Partial<Offered>;

/** How a shop is paid: of `orders.payment_setting` named `s`. */
const paymentSettings = shape('s', {
  /** When money is taken that a provider has authorized. */
  captureAt: oneOf(captureTimes),
  /** What buyers are offered beside the methods of providers, in this order. */
  manualMethods: field(z.array(offered), undefined, (stored) =>
    (stored as readonly StoredOffered[]).map(({ payWithinDays = null, ...one }) => ({ ...one, payWithinDays })),
  ),
  /** Counts changes. */
  version: count(),
});
export type PaymentSettings = Of<typeof paymentSettings>;

/** Until somebody changes them. */
const unchanged: PaymentSettings = {
  captureAt: 'placement',
  manualMethods: [
    { method: 'invoice', instructions: null, payWithinDays: null },
    { method: 'bank_transfer', instructions: null, payWithinDays: null },
  ],
  version: 1,
};

export const selectSettings = (tenant: string): Statement =>
  statement(`select ${paymentSettings.columns} from orders.payment_setting s where s.tenant_id = $1::uuid`, [tenant]);
export const settingsOf = (row: Row | undefined): PaymentSettings =>
  row === undefined ? unchanged : paymentSettings.read(row);

/** What settings say, as the digest in their events: `tenant_id` and `digest`. */
export const settingsContents = `select tenant_id, ${digestOf(`'payment_settings/v1', capture_at, manual_methods`)} as digest
  from orders.payment_setting`;

export const getPaymentSettings = operation(
  { ...reads, name: 'service_get_payment_settings', input: z.strictObject({}), answer: paymentSettings.answer },
  async ({ context, read }) => settingsOf((await read(selectSettings(context.tenant)))[0]),
);

/**
 * Changes what is given and nothing else. A person approves it: buyers pay to where the instructions say.
 * @throws Problem `method_repeated` (422)
 */
export const updatePaymentSettings = operation(
  {
    ...decides,
    name: 'service_update_payment_settings',
    input: z.strictObject({
      captureAt: z.enum(captureTimes).optional().meta({
        description:
          'When authorized money is taken: placement, or fulfilment, which is with the first that is sent of the order.',
      }),
      manualMethods: z
        .array(
          z
            .strictObject({
              method: z.enum(manualMethods).meta({ description: 'How the buyer pays the business itself.' }),
              instructions: remarks(2000)
                .nullable()
                .optional()
                .meta({ description: 'Shown to buyers who choose it, such as bank details.' }),
              payWithinDays: z.int().min(1).max(365).nullable().optional().meta({
                description:
                  'Buyers are asked to pay within so many days; an order placed from now on of which nothing was paid or sent by then is cancelled. Null: never.',
              }),
            })
            .refine(({ method, payWithinDays }) => method !== 'cash_on_delivery' || payWithinDays == null, {
              path: ['payWithinDays'],
              error: 'Cash on delivery is paid once the goods are there: leave it out',
            }),
        )
        .max(manualMethods.length)
        .optional()
        .meta({
          description: 'What buyers are offered beside the methods of providers. The whole list, in this order.',
        }),
    }),
    answer: paymentSettings.answer,
    errors: { method_repeated: 'manualMethods' },
  },
  async (scope, { captureAt, manualMethods: given }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      if (given !== undefined && new Set(given.map(({ method }) => method)).size < given.length)
        throw ordersFail('method_repeated', 'Give each method once.');
      const before = await holdSettings(tx);
      const next = {
        captureAt: captureAt ?? before.captureAt,
        manualMethods:
          given?.map(({ method, instructions = null, payWithinDays = null }) => ({
            method,
            instructions,
            payWithinDays,
          })) ?? before.manualMethods,
      };
      if (isDeepStrictEqual(next, { captureAt: before.captureAt, manualMethods: before.manualMethods }))
        return asItWas(before);
      const [row] = await tx.query(
        statement(
          `insert into orders.payment_setting as s (tenant_id, capture_at, manual_methods, version) values ($1::uuid, $2, $3::jsonb, $4::int)
           on conflict (tenant_id) do update set capture_at = excluded.capture_at, manual_methods = excluded.manual_methods,
             version = excluded.version, updated_at = clock_timestamp()
           returning ${paymentSettings.columns}`,
          [tenant, next.captureAt, JSON.stringify(next.manualMethods), before.version + 1],
        ),
      );
      const after = settingsOf(row);
      const [contents] = await tx.query<{ digest: string }>(
        statement(`select digest from (${settingsContents}) c where tenant_id = $1::uuid`, [tenant]),
      );
      tx.record(
        event('commerce.payment_settings.changed', {
          capture_at: after.captureAt,
          manual_methods: after.manualMethods.map(({ method }) => method),
          version: after.version,
          content_sha256: contents?.digest ?? '',
        }),
      );
      return after;
    }),
);

/** One change at a time, of settings that have no row yet too. */
async function holdSettings(tx: TenantTransaction): Promise<PaymentSettings> {
  const { tenant } = tx.context;
  await tx.query(
    statement(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`orders.payment_setting ${tenant}`]),
  );
  return settingsOf((await tx.query(selectSettings(tenant)))[0]);
}
