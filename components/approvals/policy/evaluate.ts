import { sql, type Statement, type TenantTransaction } from '@steward/sql';
import { digest, type Outcome, type Outflow, type Tool } from '@steward/tools';
import { limitIn, type ApprovalPolicy } from './policy.ts';
import { minorOf, type Minor } from './money.ts';
import { lockOutflow, outflowOfDay } from './outflow.ts';

/** Why more than one person is needed; shown to those who decide. */
type Reason =
  | 'four_eyes_always'
  | 'no_amount'
  | 'no_limit_for_currency'
  | 'amount_above_limit'
  | 'daily_sum_above_limit'
  | NotKnown;

/** By whom money goes to: somebody whom the tool names, accounts of the ledger, or nobody who is named. */
type NotKnown = 'new_payee' | 'new_destination' | 'unnamed_payee';

interface Traits {
  readonly moneyOut: boolean;
  readonly money: Minor | undefined;
  /** The same in other currencies: at a rate that the proposer chose, or of other entries. */
  readonly also: readonly Minor[];
  /** By the ledger, and by the tool's own word where the ledger says nothing of it. */
  readonly flows: readonly Outflow[];
  /** What its tool says a rule without a limit may cover. */
  readonly routine: boolean;
  /** Digest. */
  readonly payee: string | undefined;
  /** Why two people must approve as long as the payee is not known. */
  readonly unlessKnown: NotKnown;
}

/** @throws TypeError when the tool names an amount that is none: nothing is approved on a guess */
export function traitsOf(
  tool: Tool,
  args: unknown,
  { outcome, identityOf }: { readonly outcome: Outcome; readonly identityOf: (id: string) => string },
): Traits {
  const { name } = tool;
  // What is so already moves nothing, and shows nothing by which its amount would be known.
  const approval = outcome.unchanged === true ? undefined : tool.approval;
  const given = approval?.amount?.(args, outcome);
  const [money, ...also] = (given === undefined ? [] : 'currency' in given ? [given] : given).map((one) => {
    const found = minorOf(one);
    if (found === undefined) throw new TypeError(`${name}: ${JSON.stringify(one)} is not an amount of money`);
    return found;
  });
  const said = approval?.moneyOut ?? false;
  const pays = typeof said === 'function' ? said(args, outcome) : said;
  const { flows = [], to } = outcome.taken ?? {};
  const moneyOut = pays || flows.some(({ out }) => out > 0n);
  const routine = approval?.routine;
  const named = approval?.payee?.(args, outcome);
  const payee = named ?? (moneyOut ? to : undefined);
  return {
    moneyOut,
    money,
    also,
    flows: pays && money !== undefined ? withSaid(flows, money) : flows,
    routine: typeof routine === 'function' ? routine(args, outcome) : true,
    payee: payee === undefined ? undefined : digest(`payee/v2\n${payee}\n${identityOf(payee)}`),
    unlessKnown: named !== undefined ? 'new_payee' : payee !== undefined ? 'new_destination' : 'unnamed_payee',
  };
}

/** A tool that says that it pays takes no less than it says. */
function withSaid(flows: readonly Outflow[], { currency, minor }: Minor): Outflow[] {
  const found = flows.find((one) => one.currency === currency) ?? { currency, out: 0n, owed: 0n };
  const others = flows.filter((one) => one.currency !== currency);
  return [{ ...found, out: found.out > minor ? found.out : minor }, ...others];
}

/** One at a time for each tool of a tenant, so that two actions cannot both find room under one limit. */
export const toolLock = (tenant: string, tool: string): Statement =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`approvals ${tenant} ${tool}`}, 0))`;

export async function lockTool(tx: TenantTransaction, tool: string): Promise<void> {
  await tx.query(toolLock(tx.context.tenant, tool));
}

/**
 * How many people must approve, and why more than one. Under `lockTool`, and it takes `lockOutflow` where something leaves.
 * Sums count what was asked for before this action on the same UTC day and is still open, and what was approved on it:
 * splitting a payment evades nothing.
 * `judged`: the action's id where it is stored already.
 */
export async function judge(
  tx: TenantTransaction,
  policy: ApprovalPolicy,
  tool: string,
  { moneyOut, money, also, flows, payee, unlessKnown }: Traits,
  judged?: string,
): Promise<{ needed: 1 | 2; reasons: Reason[] }> {
  const rule = policy.tools[tool];
  const reasons: Reason[] = [];
  if (rule?.fourEyes === true) reasons.push('four_eyes_always');
  const own = rule?.fourEyesAbove ?? rule?.fourEyesAboveDaily;
  if ((moneyOut || own !== undefined) && money === undefined && flows.length === 0) reasons.push('no_amount');
  if (own !== undefined && money !== undefined) {
    const single = limitIn(rule?.fourEyesAbove, money.currency);
    const daily = limitIn(rule?.fourEyesAboveDaily, money.currency) ?? single;
    if (single === undefined && daily === undefined) reasons.push('no_limit_for_currency');
    const sum = daily === undefined ? 0n : await sumOfDay(tx, tool, money.currency, judged);
    reasons.push(...beyond(money.minor, sum, single, daily));
    for (const { currency, minor } of also) {
      const limit = limitIn(rule?.fourEyesAbove, currency);
      const ofDay = limitIn(rule?.fourEyesAboveDaily, currency) ?? limit;
      reasons.push(
        ...beyond(minor, ofDay === undefined ? 0n : await sumOfDay(tx, tool, currency, judged), limit, ofDay),
      );
    }
  }
  if (flows.length > 0) {
    await lockOutflow(tx);
    reasons.push(...(await judgeOutflow(tx, policy, tool, flows, judged)));
  }
  if (moneyOut && policy.newPayeeFourEyes && !(await isKnown(tx, payee))) reasons.push(unlessKnown);
  return { needed: reasons.length > 0 ? 2 : 1, reasons: [...new Set(reasons)] };
}

/**
 * Why what leaves takes two people, in each currency it is counted in. Money goes out alone up to the limit of its currency;
 * what is owed is brought down alone beyond that too, where the policy has no limit for the currency. Under `lockOutflow`.
 */
export async function judgeOutflow(
  tx: TenantTransaction,
  policy: ApprovalPolicy,
  tool: string,
  flows: readonly Outflow[],
  judged?: string,
): Promise<Reason[]> {
  const rule = policy.tools[tool];
  const reasons: Reason[] = [];
  for (const { currency, out, owed } of flows) {
    const single = limitIn(rule?.fourEyesAbove ?? policy.fourEyesAbove, currency);
    const named = limitIn(rule?.fourEyesAboveDaily ?? policy.fourEyesAboveDaily, currency);
    const daily = named ?? single;
    if (single === undefined && out > 0n) reasons.push('no_limit_for_currency');
    if (daily === undefined) continue;
    const ofTool = named === undefined ? rule?.fourEyesAbove !== undefined : rule?.fourEyesAboveDaily !== undefined;
    const sum = await outflowOfDay(tx, currency, { tool: ofTool ? tool : undefined, judged });
    if (out > 0n) reasons.push(...beyond(out, sum.out, single, daily));
    if (owed > 0n) reasons.push(...beyond(owed, sum.owed, single, daily));
  }
  return reasons;
}

type Limit = ReturnType<typeof limitIn>;

function beyond(minor: bigint, sum: bigint, single: Limit, daily: Limit): Reason[] {
  const most = (limit: Limit): bigint | undefined => (limit === undefined ? undefined : minorOf(limit)?.minor);
  const room = most(daily);
  return [
    ...(minor > (most(single) ?? minor) ? (['amount_above_limit'] as const) : []),
    ...(room !== undefined && sum + minor > room ? (['daily_sum_above_limit'] as const) : []),
  ];
}

async function sumOfDay(tx: TenantTransaction, tool: string, currency: string, judged?: string): Promise<bigint> {
  const [row] = await tx.query<{ sum: string }>(sql`
    select coalesce(sum(amount), 0)::text as sum from approvals.action
    where tenant_id = ${tx.context.tenant} and tool = ${tool} and currency = ${currency}
      and action_id is distinct from ${judged ?? null}::uuid
      and (requested_at >= date_trunc('day', clock_timestamp(), 'UTC')
        or decided_at >= date_trunc('day', clock_timestamp(), 'UTC'))
      and (state in ('approved', 'executed')
        or (state = 'pending' and expires_at > clock_timestamp()
          and (${judged ?? null}::uuid is null or (requested_at, action_id) < (
            select j.requested_at, j.action_id from approvals.action j
            where j.tenant_id = ${tx.context.tenant} and j.action_id = ${judged ?? null}))))`);
  return BigInt(row?.sum ?? 0);
}

/** Known is whom two people have approved once. A payee that no tool names is always a new one. */
async function isKnown(tx: TenantTransaction, payee: string | undefined): Promise<boolean> {
  if (payee === undefined) return false;
  const rows = await tx.query(sql`
    select from approvals.action where tenant_id = ${tx.context.tenant} and payee = ${payee} and state = 'executed' and approvals_needed > 1 limit 1`);
  return rows.length > 0;
}
