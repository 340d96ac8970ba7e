import type { UseQueryResult } from '@tanstack/react-query';
import type { Amount } from './money.ts';
import { useApi, type Paged } from './queries.ts';
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
  /** Display names, by id. */
  readonly names: Readonly<Record<string, string>>;
  readonly expiresAt: string;
}

/** As many are read, and counted, at most. */
export const mostToDecide = 50;

/** What waits for people, newest first. */
export const useToDecide = (): UseQueryResult<Paged<ToDecide>> =>
  useApi<Paged<ToDecide>>('portal', '/api/pending-actions', { query: { state: 'pending', limit: mostToDecide } });

/** Whether a person has approved it: where two must, it waits for another one. */
export const hasApproved = ({ approvals }: Pick<ToDecide, 'approvals'>, person: string): boolean =>
  approvals.some(({ approver }) => approver === person);

/** What waits for this person: Home shows it, and the navigation counts it. */
export function useOwnToDecide(): readonly ToDecide[] {
  const { person } = useSession();
  return (useToDecide().data?.items ?? []).filter((one) => !hasApproved(one, person.id));
}
