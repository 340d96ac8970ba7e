import { money, newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { held, holdPayment, type Payment } from './payment.ts';
import { told } from './told.ts';

/** What an operation is done for: a kind and an id. */
export interface OperationSource {
  readonly kind: string;
  readonly id: string;
}

interface Operating {
  readonly kind: 'capture' | 'received' | 'reversed' | 'void' | 'refund';
  readonly amount: bigint;
  readonly source: OperationSource;
  readonly reference?: string | null | undefined;
  /** Of what was received. */
  readonly receivedOn?: string | undefined;
  /** SQL over the payment `p` with the amount as `$3`: what changes, and under which condition. */
  readonly set: string;
  readonly when: string;
  /** Where the condition does not hold; nothing of the transaction may stay then. */
  refused(payment: Payment): Error;
}

/** What each event of an operation tells. */
export const operated = (
  { id, amount, source }: { readonly id: string; readonly amount: bigint; readonly source: OperationSource },
  payment: Payment,
) => ({
  ...told(payment),
  operation_id: id,
  amount: money(amount, payment.currency).amount,
  source_kind: source.kind,
  source_id: source.id,
});

/**
 * Moves money of a payment once for its source: a repetition, also at the same time, answers the payment as it is, without an operation.
 * The guard is part of the statement that moves.
 */
export async function operate(
  tx: TenantTransaction,
  paymentId: string,
  { kind, amount, source, reference, receivedOn, set, when, refused }: Operating,
): Promise<{ readonly payment: Payment; readonly operation: string | undefined }> {
  const { tenant } = tx.context;
  const id = newId();
  const made = await tx.query(sql`
    insert into orders.payment_operation (tenant_id, operation_id, payment_id, kind, amount, source_kind, source_id, reference,
      received_on)
    values (${tenant}::uuid, ${id}::uuid, ${paymentId}::uuid, ${kind}, ${amount}::bigint, ${source.kind}, ${source.id}::uuid,
      ${reference ?? null}, ${receivedOn ?? null}::date)
    on conflict (tenant_id, source_id, kind, payment_id) do nothing returning operation_id`);
  if (made.length === 0) return { payment: await holdPayment(tx, paymentId), operation: undefined };
  const [row] = await tx.query(
    statement(
      `update orders.payment p set ${set}, version = version + 1, updated_at = clock_timestamp()
       where p.tenant_id = $1::uuid and p.payment_id = $2::uuid and ${when} returning ${held.columns}`,
      [tenant, paymentId, amount],
    ),
  );
  if (row === undefined) throw refused(await holdPayment(tx, paymentId));
  return { payment: held.read(row), operation: id };
}
