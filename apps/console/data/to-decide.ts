import type { UseQueryResult } from '@tanstack/react-query';
import type { Amount } from './money.ts';
import { useApi, type Paged } from './queries.ts';

export interface ToDecide {
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  readonly summary: string;
  readonly amount: Amount | null;
  readonly requestedBy: readonly { readonly type: string; readonly id: string }[];
  readonly requestedAt: string;
  readonly expiresAt: string;
}

/** As many are read, and counted, at most. */
export const mostToDecide = 50;

/** What waits for a person, newest first: Home shows it, and the navigation counts it. */
export const useToDecide = (): UseQueryResult<Paged<ToDecide>> =>
  useApi<Paged<ToDecide>>('portal', '/api/pending-actions', { query: { state: 'pending', limit: mostToDecide } });
