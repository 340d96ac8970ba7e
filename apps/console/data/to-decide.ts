import type { UseQueryResult } from '@tanstack/react-query';
import type { Amount } from './money.ts';
import { readApi, useRead, type Paged } from './queries.ts';
import { useSession } from './session.ts';

export interface ToDecide {
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  readonly summary: string;
  readonly amount: Amount | null;
  readonly requestedBy: readonly { readonly type: string; readonly id: string }[];
  readonly requestedAt: string;
  readonly approvals: readonly { readonly approver: string }[];
  readonly available: { readonly alone: boolean } | null;
  /** Display names, by id. */
  readonly names: Readonly<Record<string, string>>;
  /** What agents call themselves, by id. */
  readonly agentNames: Readonly<Record<string, string>>;
  readonly expiresAt: string;
}

/** As many are read, and counted, at most. */
export const mostToDecide = 50;

/** What waits for people, newest first. */
export const toDecide = readApi<Paged<ToDecide>>('portal', '/api/pending-actions/summaries', {
  state: 'pending',
  limit: mostToDecide,
});
export const useToDecide = (): UseQueryResult<Paged<ToDecide>> => useRead(toDecide);

/** Whether it waits for another person than this one, who has approved it and is not allowed to be enough. */
export const awaitsAnother = (
  { approvals, available }: Pick<ToDecide, 'approvals' | 'available'>,
  person: string,
): boolean => available?.alone !== true && approvals.some(({ approver }) => approver === person);

/** What waits for this person: Home shows it, and the navigation counts it. */
export function useOwnToDecide(): readonly ToDecide[] {
  const { person } = useSession();
  return (useToDecide().data?.items ?? []).filter((one) => !awaitsAnother(one, person.id));
}
