import { fail, newId, type RecordedEvent } from '@steward/kernel';
import type { TenantContext, TenantTransaction } from '@steward/sql';

/**
 * The same context inside a transaction that is already open: everything a tool reads and writes through it happens in
 * that transaction, so that the effect of several verbs is one. A failure in it dooms the transaction.
 * `silent`: nothing is recorded, published or announced, because the transaction is going to be undone.
 * @param heard called with everything that is recorded, or would be
 */
export function within(
  context: TenantContext,
  tx: TenantTransaction,
  silent = false,
  heard?: (event: RecordedEvent) => void,
): TenantContext {
  const inner: TenantContext = {
    ...context,
    require: (permission) => {
      const admit = (): void => {
        if (!permission.roles.has(tx.role))
          throw fail('insufficient_role', `The role ${tx.role} does not permit ${permission.name}.`);
      };
      return {
        context: inner,
        read: async (statement) => {
          admit();
          return tx.query(statement);
        },
        readAll: async (statements) => {
          admit();
          return tx.queryAll(statements);
        },
        write: async (work) => {
          admit();
          return work(silent ? muted : loud);
        },
      };
    },
  };
  const loud: TenantTransaction = {
    ...tx,
    context: inner,
    record: (event) => {
      heard?.(event);
      return tx.record(event);
    },
  };
  const muted: TenantTransaction = {
    ...tx,
    context: inner,
    record: (event) => {
      heard?.(event);
      return event.id ?? newId();
    },
    publish: (event) => event.id ?? newId(),
    afterCommit: () => undefined,
  };
  return inner;
}
