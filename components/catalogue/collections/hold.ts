import { statement, type Statement } from '@steward/sql';

/**
 * Until the end of the transaction, before it holds anything else: whoever changes what collections have is alone, whoever changes
 * products shares it. So no product changes while rules are asked of all, and none misses a change of rules.
 */
export const heldCollections = (tenant: string, how: 'alone' | 'shared'): Statement =>
  statement(`select pg_advisory_xact_lock${how === 'shared' ? '_shared' : ''}(hashtextextended($1, 0))`, [
    `catalogue.collection ${tenant}`,
  ]);
