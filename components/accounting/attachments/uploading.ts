import type { TenantContext } from '@steward/sql';

/** What takes a file holds it in memory, so that a tenant takes so many at a time. @throws Problem `quota_exceeded` (403) */
export async function uploading<T>(context: TenantContext, work: () => Promise<T>): Promise<T> {
  context.spend('uploads', 1);
  try {
    return await work();
  } finally {
    context.spend('uploads', -1);
  }
}
