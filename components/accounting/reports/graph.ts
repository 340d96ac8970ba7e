import type { GraphBuilder, GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf, weigh } from '@steward/graphql/field';
import { day, pageArguments } from '../graph-arguments.ts';
import { moneyType } from '../money/graph.ts';
import { basis } from './cash-basis.ts';
import { generalLedger } from './general-ledger.ts';
import { balanceSheet, financialStatement, profitAndLoss } from './statements.ts';
import { trialBalance } from './trial-balance.ts';

/** The one `AccountingBasis` of a schema. */
export const basisType = (builder: GraphBuilder) => enumOf(builder, 'AccountingBasis', basis.unwrap());

/** A period, and one to compare with. @throws Problem `invalid_request` (400) where one end is no day */
export const periodArguments = (given: {
  readonly from: string;
  readonly to: string;
  readonly compareFrom?: string | null | undefined;
  readonly compareTo?: string | null | undefined;
}) => ({
  from: day(given.from) ?? '',
  to: day(given.to) ?? '',
  compareFrom: day(given.compareFrom),
  compareTo: day(given.compareTo),
});

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
  const ledger = objectOf(builder, 'LedgerPage', generalLedger.answer);
  const type = basisType(builder);
  builder.queryFields((t) => ({
    trialBalance: t.field({
      extensions: doing('service_get_trial_balance'),
      type: balance,
      description: 'The balance of every account at the end of a day.',
      args: {
        asOf: t.arg.string({ required: true }),
        compareAsOf: t.arg.string(),
        basis: t.arg({ type, defaultValue: 'accrual' }),
      },
      resolve: async (_root, { asOf, compareAsOf, basis: wanted }, { tenant }) =>
        trialBalance(tenant, { asOf: day(asOf) ?? '', compareAsOf: day(compareAsOf), basis: wanted ?? undefined }),
    }),
    profitAndLoss: t.field({
      extensions: doing('service_get_profit_and_loss'),
      type: statement,
      args: {
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        compareFrom: t.arg.string(),
        compareTo: t.arg.string(),
        basis: t.arg({ type, defaultValue: 'accrual' }),
      },
      resolve: async (_root, args, { tenant }) =>
        profitAndLoss(tenant, { ...periodArguments(args), basis: args.basis ?? undefined }),
    }),
    balanceSheet: t.field({
      extensions: doing('service_get_balance_sheet'),
      type: statement,
      args: {
        asOf: t.arg.string({ required: true }),
        compareAsOf: t.arg.string(),
        basis: t.arg({ type, defaultValue: 'accrual' }),
      },
      resolve: async (_root, args, { tenant }) =>
        balanceSheet(tenant, {
          asOf: day(args.asOf) ?? '',
          compareAsOf: day(args.compareAsOf),
          basis: args.basis ?? undefined,
        }),
    }),
    generalLedger: t.field({
      extensions: doing('service_get_general_ledger'),
      type: ledger,
      description: 'The postings of one account over a period, each with the running balance.',
      args: {
        accountId: t.arg.id({ required: true, description: 'Code or id.' }),
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        limit: t.arg.int({ defaultValue: 50 }),
        cursor: t.arg.string(),
      },
      resolve: async (_root, { accountId, from, to, limit, cursor }, { tenant }) => {
        const wish = { accountId, from: day(from) ?? '', to: day(to) ?? '' };
        return generalLedger(tenant, { ...wish, ...pageArguments({ limit, cursor }) });
      },
    }),
  }));
};
