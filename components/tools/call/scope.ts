import { attribute, callerOf } from '@steward/access';
import type { TenantContext, TenantScope, TenantTransaction } from '@steward/sql';

type Write = <T>(scope: TenantScope, work: (tx: TenantTransaction) => Promise<T>) => Promise<T>;

/** The same context with another way to write: the verb notices nothing. */
export function writingThrough(context: TenantContext, write: Write): TenantContext {
  const through: TenantContext = {
    ...context,
    require: (permission) => {
      const scope = context.require(permission);
      return {
        context: through,
        read: scope.read.bind(scope) as TenantScope['read'],
        readAll: scope.readAll.bind(scope) as TenantScope['readAll'],
        write: async (work) => write(scope, work),
      };
    },
  };
  return through;
}

/** For tools of tier `read`: a write is a fault of the tool. What is told depends on the caller at some of them, as at other doors. */
export function readOnly(context: TenantContext): TenantContext {
  const reading = writingThrough(context, async () => {
    throw new TypeError('a tool of tier read wrote');
  });
  const caller = callerOf(context);
  return caller === undefined ? reading : attribute(reading, caller);
}

class RolledBack extends Error {
  readonly value: unknown;
  constructor(value: unknown) {
    super('rolled back');
    this.value = value;
  }
}

/** For previews: the verb does its work in full and the transaction is rolled back, with its events. */
export const rehearsal = (context: TenantContext): TenantContext =>
  writingThrough(context, async <T>(scope: TenantScope, work: (tx: TenantTransaction) => Promise<T>): Promise<T> => {
    try {
      return await scope.write<T>(async (tx) => {
        throw new RolledBack(await work(tx));
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.value as T;
      throw error;
    }
  });
