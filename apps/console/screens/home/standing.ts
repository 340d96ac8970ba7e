import type { Amount } from '../../data/money.ts';
import { dayOf } from '../../data/moment.ts';
import { readGraph, type Read } from '../../data/queries.ts';

interface Aged {
  readonly total: Amount;
  /** Not due, and then by how long it is overdue. */
  readonly buckets: readonly Amount[];
}

export interface Standing {
  readonly profitAndLoss: { readonly result: Amount; readonly comparedResult: Amount | null };
  readonly cashFlow: { readonly closing: Amount };
  readonly receivable: Aged;
  readonly payable: Aged;
  readonly bankAccounts: readonly {
    readonly id: string;
    readonly code: string;
    readonly name: string;
    readonly agreedTo: string | null;
    readonly unmatchedLines: number;
    readonly unmatchedIn: Amount;
    readonly unmatchedOut: Amount;
  }[];
}

const day = 86_400_000;

/** How the books stand today, this month against the whole month before. */
export function standing(): Read<Standing> {
  const today = dayOf(Date.now());
  const monthFrom = `${today.slice(0, 7)}-01`;
  const beforeTo = dayOf(new Date(monthFrom).getTime() - day);
  return readGraph('home', { today, monthFrom, beforeTo, beforeFrom: `${beforeTo.slice(0, 7)}-01` });
}
