import type { Row } from '@steward/sql';
import { moneyOf } from '../policy/money.ts';

/** As REST shows it: for a time, actions of one tool are approved without asking each time. */
export const presentRule = (row: Row) => {
  const amount = (column: string, of = 'currency') => {
    const currency = row[of] as string | null;
    return currency === null || row[column] === null
      ? null
      : moneyOf({ currency, minor: BigInt(row[column] as bigint) });
  };
  return {
    id: String(row['rule_id']),
    tool: String(row['tool']),
    agentId: row['agent_id'] as string | null,
    upTo: amount('most'),
    upToDaily: amount('daily_most'),
    upToInBase: amount('base_most', 'base_currency'),
    validUntil: (row['valid_until'] as Date).toISOString(),
    createdBy: String(row['created_by']),
    createdAt: (row['created_at'] as Date).toISOString(),
    revokedBy: row['revoked_by'] as string | null,
    revokedAt: (row['revoked_at'] as Date | null)?.toISOString() ?? null,
  };
};

export type StandingRule = ReturnType<typeof presentRule>;
