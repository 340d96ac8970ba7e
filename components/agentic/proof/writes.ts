import { isId, type RecordedEvent } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';

/** Members that say whether a verb did something, and to what. */
interface Done {
  readonly replayed?: unknown;
  readonly answer?: { readonly id?: unknown };
}

/**
 * The same context, whose every transaction of a write also records who wrote what, by which proof: in the same transaction, so that there is none
 * without the other. A repetition that was answered with what was done before is no write.
 * @param id that the request names; empty where it makes something
 * @param eventOf what is recorded of a write to the resource of an id
 */
export function recordingWrites(
  context: TenantContext,
  id: string,
  eventOf: (resourceId: string) => RecordedEvent,
): TenantContext {
  const inner: TenantContext = {
    ...context,
    require: (permission) => {
      const scope = context.require(permission);
      return {
        ...scope,
        context: inner,
        write: async (work) =>
          scope.write(async (tx) => {
            const done = await work(tx);
            const { replayed, answer } = (typeof done === 'object' && done !== null ? done : {}) as Done;
            const resource = id === '' ? answer?.id : id;
            if (!replayed && isId(resource)) tx.record(eventOf(resource));
            return done;
          }),
      };
    },
  };
  return inner;
}
