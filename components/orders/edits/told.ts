import { formatAmount, Problem } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { contents } from '../contents.ts';
import { announcement, event } from '../events.ts';
import type { Order } from '../orders/order.ts';
import type { OrdersPorts } from '../ports.ts';

interface Told {
  readonly editId: string;
  readonly versionBefore: number;
  readonly version: number;
  readonly readdressed: boolean;
  readonly held: Order;
}

export async function tell(
  tx: TenantTransaction,
  { editId, versionBefore, version, readdressed, held }: Told,
): Promise<void> {
  const { tenant } = tx.context;
  const [[row = {}] = [], versions = []] = await tx.queryAll([
    statement(
      `select o.number, o.net, o.tax, o.total, o.units, w.digest as what, b.digest as who from orders.sales_order o
       join (${contents.order}) w on w.tenant_id = o.tenant_id and w.key = o.order_id
       join (${contents.buyer}) b on b.tenant_id = o.tenant_id and b.key = o.order_id
       where o.tenant_id = $1::uuid and o.order_id = $2::uuid`,
      [tenant, held.id],
    ),
    statement(
      `select v.version, v.digest from (${contents.version}) v where v.tenant_id = $1::uuid and v.key = $2::uuid and v.version = any ($3::int[])`,
      [tenant, held.id, [versionBefore, version]],
    ),
  ]);
  const digestOf = (of: number): string => String(versions.find((one) => one['version'] === of)?.['digest']);
  const { id: orderId, mode, currency, checkoutId, brandId, contactId } = held;
  const amount = (of: 'net' | 'tax' | 'total'): string => formatAmount(BigInt(row[of] as bigint), currency);
  tx.record(
    event('commerce.order.edited', {
      edit_id: editId,
      order_id: orderId,
      mode,
      number: Number(row['number']),
      checkout_id: checkoutId,
      brand_id: brandId,
      contact_id: contactId,
      currency,
      net: amount('net'),
      tax: amount('tax'),
      total: amount('total'),
      units: Number(row['units']),
      content_sha256: String(row['what']),
      buyer_sha256: String(row['who']),
      version_before: versionBefore,
      before_sha256: digestOf(versionBefore),
      version,
      after_sha256: digestOf(version),
      readdressed,
    }),
  );
  tx.publish(announcement('commerce.order.edited', { orderId, editId, mode }, { subject: orderId }));
}

/** A contact that is not there any more has no timeline. */
export async function note(
  tx: TenantTransaction,
  { id }: Order,
  contactId: string,
  { noteOnTimeline }: Pick<OrdersPorts, 'noteOnTimeline'>,
): Promise<void> {
  try {
    await noteOnTimeline(tx, { contactId, kind: 'order.edited', refs: { order_id: id } });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
  }
}
