import { sql, type Statement, type TenantTransaction } from '@steward/sql';
import { digest, type Outcome, type Tool } from '@steward/tools';
import { limitIn, type ApprovalPolicy } from './policy.ts';
import { minorOf, type Minor } from './money.ts';

/** Why more than one person is needed; shown to those who decide. */
type Reason =
  | 'four_eyes_always'
  | 'no_amount'
  | 'no_limit_for_currency'
  | 'amount_above_limit'
  | 'daily_sum_above_limit'
  | 'new_payee';

interface Traits {
  readonly moneyOut: boolean;
  readonly money: Minor | undefined;
  /** Digest. */
  readonly payee: string | undefined;
}

/** @throws TypeError when the tool names an amount that is none: nothing is approved on a guess */
export function traitsOf({ name, approval }: Tool, args: unknown, outcome: Outcome): Traits {
  const given = approval?.amount?.(args, outcome);
  const money = given === undefined ? undefined : minorOf(given);
  if (given !== undefined && money === undefined)
    throw new TypeError(`${name}: ${JSON.stringify(given)} is not an amount of money`);
  const payee = approval?.payee?.(args, outcome);
  const moneyOut = approval?.moneyOut ?? false;
  return {
    moneyOut: typeof moneyOut === 'function' ? moneyOut(args, outcome) : moneyOut,
    money,
    payee: payee === undefined ? undefined : digest(`payee/v1\n${payee}`),
  };
}

/** One at a time for each tool of a tenant, so that two actions cannot both find room under one limit. */
export const toolLock = (tenant: string, tool: string): Statement =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`approvals ${tenant} ${tool}`}, 0))`;

export async function lockTool(tx: TenantTransaction, tool: string): Promise<void> {
  await tx.query(toolLock(tx.context.tenant, tool));
}

/**
 * How many people must approve, and why more than one. Under `lockTool`. Sums count what was asked for before this
 * action on the same UTC day and is still open, and what was approved on it: splitting a payment evades nothing.
 * `judged`: the action's id where it is stored already.
 */
export async function judge(
  tx: TenantTransaction,
  policy: ApprovalPolicy,
  tool: string,
  { moneyOut, money, payee }: Traits,
  judged?: string,
): Promise<{ needed: 1 | 2; reasons: Reason[] }> {
  const rule = policy.tools[tool];
  const reasons: Reason[] = [];
  if (rule?.fourEyes === true) reasons.push('four_eyes_always');
  const own = rule?.fourEyesAbove ?? rule?.fourEyesAboveDaily;
  const limited = moneyOut || own !== undefined;
  if (limited && money === undefined) reasons.push('no_amount');
  if (limited && money !== undefined) {
    const single = limitIn(rule?.fourEyesAbove ?? (moneyOut ? policy.fourEyesAbove : undefined), money.currency);
    const daily =
      limitIn(rule?.fourEyesAboveDaily ?? (moneyOut ? policy.fourEyesAboveDaily : undefined), money.currency) ?? single;
    const most = (limit: typeof single): bigint | undefined =>
      limit === undefined ? undefined : minorOf(limit)?.minor;
    if (single === undefined && daily === undefined) reasons.push('no_limit_for_currency');
    else if (single === undefined && moneyOut) reasons.push('no_limit_for_currency');
    if (money.minor > (most(single) ?? money.minor)) reasons.push('amount_above_limit');
    const room = most(daily);
    if (room !== undefined && (await sumOfDay(tx, tool, money.currency, judged)) + money.minor > room)
      reasons.push('daily_sum_above_limit');
  }
  if (moneyOut && policy.newPayeeFourEyes && !(await isKnown(tx, payee))) reasons.push('new_payee');
  return { needed: reasons.length > 0 ? 2 : 1, reasons };
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
