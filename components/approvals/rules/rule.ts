import { id, moment, nullable, shape, text } from '@steward/contract';
import { money, moneyIn } from '../policy/money.ts';

/** For a time, actions of one tool are approved without asking each time. Of `approvals.standing_rule` named `r`. */
export const rule = shape('r', {
  id: id('r.rule_id'),
  tool: text(),
  /** This agent alone; any where it is null. */
  agentId: nullable(text()),
  upTo: moneyIn('r.most', 'r.currency'),
  upToDaily: moneyIn('r.daily_most', 'r.currency'),
  upToInBase: moneyIn(
    'r.base_most',
    'r.base_currency',
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
