import { field, id, moment, nullable, shape, text } from '@steward/contract';
import { money, moneyOf } from '../policy/money.ts';

const limit = (column: string, currency: string, schema = money.nullable()) =>
  field(
    schema,
    `case when r.${column} is not null and r.${currency} is not null then array[r.${currency}::text, r.${column}::text] end`,
    (value) => {
      const [held, minor] = (value ?? []) as readonly string[];
      return held === undefined || minor === undefined ? null : moneyOf({ currency: held, minor: BigInt(minor) });
    },
  );

/** For a time, actions of one tool are approved without asking each time. Of `approvals.standing_rule` named `r`. */
export const rule = shape('r', {
  id: id('r.rule_id'),
  tool: text(),
  /** This agent alone; any where it is null. */
  agentId: nullable(text()),
  upTo: limit('most', 'currency'),
  upToDaily: limit('daily_most', 'currency'),
  upToInBase: limit(
    'base_most',
    'base_currency',
    money.nullable().meta({
      description:
        'The limit in the base currency where upTo is in a foreign currency: its worth at the stored rate when the rule was ' +
        'created, plus 5 %. Smaller amounts in proportion. null for a foreign currency: the rule pays nothing out.',
    }),
  ),
  validUntil: moment(),
  createdBy: text(),
  createdAt: moment(),
  revokedBy: nullable(text()),
  revokedAt: nullable(moment()),
});
