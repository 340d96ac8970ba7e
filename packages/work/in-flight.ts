/**
 * Runs `work` on every item, so many at a time. After a failure nothing new is begun, and what is under way is waited for.
 * @throws the first failure
 */
export async function inFlight<T>(most: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  let failed: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      if (failed !== undefined) return;
      try {
        await work(item);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  if (failed !== undefined) throw failed.error;
}
