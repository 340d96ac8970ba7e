import type { GraphBuilder, GraphModule } from '@steward/graphql';
import { doing, weigh } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { pageArguments } from '../graph-arguments.ts';
import { day } from '../journal/graph.ts';
import { moneyType } from '../money/graph.ts';
import { bases } from './cash-basis.ts';
import { generalLedger, type LedgerLine, type LedgerPage } from './general-ledger.ts';
import {
  balanceSheet,
  profitAndLoss,
  type Span,
  type Statement,
  type StatementLine,
  type StatementSection,
} from './statements.ts';
import { trialBalance, type TrialBalance, type TrialBalanceRow } from './trial-balance.ts';

const makeBasis = (builder: GraphBuilder) => builder.enumType('AccountingBasis', { values: bases });
const made = new WeakMap<GraphBuilder, ReturnType<typeof makeBasis>>();

/** The one `AccountingBasis` of a schema. */
export function basisType(builder: GraphBuilder) {
  const known = made.get(builder) ?? makeBasis(builder);
  made.set(builder, known);
  return known;
}

/** @throws Problem `invalid_request` (400) where one end of it is missing, or is no day */
export function comparisonArgument(given: {
  readonly compareFrom?: string | null | undefined;
  readonly compareTo?: string | null | undefined;
}): Span | undefined {
  const [from, to] = [day(given.compareFrom), day(given.compareTo)];
  if ((from === undefined) !== (to === undefined))
    throw fail('invalid_request', 'compareFrom and compareTo are given together.');
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Reports in the GraphQL API, all in the base currency. */
export const reportGraph: GraphModule = (builder) => {
  const money = moneyType(builder);
  const row = builder.objectRef<TrialBalanceRow>('TrialBalanceRow').implement({
    fields: (t) => ({
      accountId: t.exposeID('accountId'),
      code: t.exposeString('code'),
      name: t.exposeString('name'),
      type: t.exposeString('type'),
      debit: t.expose('debit', { type: money, nullable: true }),
      credit: t.expose('credit', { type: money, nullable: true }),
      comparedDebit: t.expose('comparedDebit', { type: money, nullable: true }),
      comparedCredit: t.expose('comparedCredit', { type: money, nullable: true }),
    }),
  });
  const totals = builder.objectRef<NonNullable<TrialBalance['compared']>>('TrialBalanceTotals').implement({
    fields: (t) => ({
      asOf: t.exposeString('asOf'),
      debit: t.expose('debit', { type: money }),
      credit: t.expose('credit', { type: money }),
    }),
  });
  const balance = builder.objectRef<TrialBalance>('TrialBalance').implement({
    fields: (t) => ({
      asOf: t.exposeString('asOf'),
      rows: t.expose('rows', { type: [row], extensions: weigh({ size: 80 }) }),
      debit: t.expose('debit', { type: money }),
      credit: t.expose('credit', { type: money }),
      compared: t.expose('compared', { type: totals, nullable: true }),
    }),
  });
  const line = builder.objectRef<StatementLine>('StatementLine').implement({
    fields: (t) => ({
      accountId: t.exposeString('accountId', { description: 'Empty for a line that is no account.' }),
      code: t.exposeString('code'),
      name: t.exposeString('name'),
      amount: t.expose('amount', { type: money }),
      compared: t.expose('compared', { type: money, nullable: true }),
    }),
  });
  const section = builder.objectRef<StatementSection>('StatementSection').implement({
    fields: (t) => ({
      title: t.exposeString('title'),
      lines: t.expose('lines', { type: [line], extensions: weigh({ size: 30 }) }),
      total: t.expose('total', { type: money }),
      comparedTotal: t.expose('comparedTotal', { type: money, nullable: true }),
    }),
  });
  const statement = builder.objectRef<Statement>('FinancialStatement').implement({
    fields: (t) => ({
      sections: t.expose('sections', { type: [section], extensions: weigh({ size: 3 }) }),
      result: t.expose('result', { type: money }),
      comparedResult: t.expose('comparedResult', { type: money, nullable: true }),
    }),
  });
  const ledgerLine = builder.objectRef<LedgerLine>('LedgerLine').implement({
    fields: (t) => ({
      entryId: t.exposeID('entryId'),
      number: t.exposeString('number'),
      date: t.exposeString('date'),
      narration: t.exposeString('narration'),
      memo: t.exposeString('memo', { nullable: true }),
      debit: t.expose('debit', { type: money, nullable: true }),
      credit: t.expose('credit', { type: money, nullable: true }),
      balance: t.expose('balance', { type: money, description: 'Debits less credits up to and with this line.' }),
    }),
  });
  const ledger = builder.objectRef<LedgerPage>('LedgerPage').implement({
    fields: (t) => ({
      code: t.exposeString('code'),
      name: t.exposeString('name'),
      opening: t.expose('opening', { type: money }),
      items: t.expose('items', { type: [ledgerLine] }),
      nextCursor: t.exposeString('nextCursor', { nullable: true }),
    }),
  });
  const basis = basisType(builder);
  builder.queryFields((t) => ({
    trialBalance: t.field({
      extensions: doing('service_get_trial_balance'),
      type: balance,
      description: 'What every account holds at the end of a day.',
      args: {
        asOf: t.arg.string({ required: true }),
        compareAsOf: t.arg.string(),
        basis: t.arg({ type: basis, defaultValue: 'accrual' }),
      },
      resolve: async (_root, { asOf, compareAsOf, basis: wanted }, { tenant }) =>
        trialBalance(tenant, day(asOf) ?? '', { compare: day(compareAsOf), basis: wanted ?? undefined }),
    }),
    profitAndLoss: t.field({
      extensions: doing('service_get_profit_and_loss'),
      type: statement,
      args: {
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        compareFrom: t.arg.string(),
        compareTo: t.arg.string(),
        basis: t.arg({ type: basis, defaultValue: 'accrual' }),
      },
      resolve: async (_root, args, { tenant }) =>
        profitAndLoss(
          tenant,
          { from: day(args.from) ?? '', to: day(args.to) ?? '' },
          comparisonArgument(args),
          args.basis ?? undefined,
        ),
    }),
    balanceSheet: t.field({
      extensions: doing('service_get_balance_sheet'),
      type: statement,
      args: {
        asOf: t.arg.string({ required: true }),
        compareAsOf: t.arg.string(),
        basis: t.arg({ type: basis, defaultValue: 'accrual' }),
      },
      resolve: async (_root, args, { tenant }) =>
        balanceSheet(tenant, day(args.asOf) ?? '', day(args.compareAsOf), args.basis ?? undefined),
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
        const wish = { account: accountId, from: day(from) ?? '', to: day(to) ?? '' };
        return generalLedger(tenant, wish, pageArguments({ limit, cursor }));
      },
    }),
  }));
};
