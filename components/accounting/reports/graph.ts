import type { GraphBuilder, GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf, taking, weigh } from '@steward/graphql/field';
import { moneyType } from '../money/graph.ts';
import { basis } from './cash-basis.ts';
import { generalLedger } from './general-ledger.ts';
import { balanceSheet, financialStatement, profitAndLoss } from './statements.ts';
import { trialBalance } from './trial-balance.ts';

/** The one `AccountingBasis` of a schema. */
export const basisType = (builder: GraphBuilder) => enumOf(builder, 'AccountingBasis', basis.unwrap());

/** What reports take where no basis is given. */
export const byDefault = { members: { basis: { defaultValue: 'accrual' } } } as const;

/** Reports in the GraphQL API, all in the base currency. */
export const reportGraph: GraphModule = (builder) => {
  moneyType(builder);
  const { rows, compared } = trialBalance.answer.shape;
  objectOf(builder, 'TrialBalanceRow', rows.element);
  objectOf(builder, 'TrialBalanceTotals', compared.unwrap());
  const balance = objectOf(builder, 'TrialBalance', trialBalance.answer, {
    without: ['currency'],
    members: { rows: { extensions: weigh({ size: 80 }) } },
  });
  const { sections } = financialStatement.shape;
  objectOf(builder, 'StatementLine', sections.element.shape.lines.element, {
    members: { accountId: 'Empty for a line that is not an account.' },
  });
  objectOf(builder, 'StatementSection', sections.element, { members: { lines: { extensions: weigh({ size: 30 }) } } });
  const statement = objectOf(builder, 'FinancialStatement', financialStatement, {
    without: ['currency'],
    members: { sections: { extensions: weigh({ size: 3 }) } },
  });
  objectOf(builder, 'LedgerLine', generalLedger.answer.shape.items.element, {
    members: { balance: 'Debits minus credits up to this line, inclusive.' },
  });
  const ledger = objectOf(builder, 'LedgerPage', generalLedger.answer, {
    members: { items: { extensions: weigh({ size: 1 }) } },
  });
  basisType(builder);
  builder.queryFields((t) => ({
    trialBalance: t.field({
      extensions: doing('service_get_trial_balance'),
      type: balance,
      description: 'The balance of every account at the end of a day.',
      ...taking(builder, trialBalance.input, async (args, { tenant }) => trialBalance(tenant, args), byDefault),
    }),
    profitAndLoss: t.field({
      extensions: doing('service_get_profit_and_loss'),
      type: statement,
      ...taking(builder, profitAndLoss.input, async (args, { tenant }) => profitAndLoss(tenant, args), byDefault),
    }),
    balanceSheet: t.field({
      extensions: doing('service_get_balance_sheet'),
      type: statement,
      ...taking(builder, balanceSheet.input, async (args, { tenant }) => balanceSheet(tenant, args), byDefault),
    }),
    generalLedger: t.field({
      extensions: doing('service_get_general_ledger'),
      type: ledger,
      description: 'The postings of one account over a period, each with the running balance.',
      ...taking(builder, generalLedger.input, async (args, { tenant }) => generalLedger(tenant, args), {
        members: { accountId: { type: 'ID', description: 'Code or id.' } },
      }),
    }),
  }));
};
