import { openCommerce } from './commerce.ts';

/** The storefront in a process of its own, for the bench that forked it. */
process.once('message', ({ databaseUrl }: { databaseUrl: string }) => {
  void openCommerce(databaseUrl).then(({ port }) => process.send?.({ port }));
});
process.on('disconnect', () => process.exit());
