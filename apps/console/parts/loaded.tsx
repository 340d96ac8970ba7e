import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { askAgain } from '../data/queries.ts';
import { Failure } from './failure.tsx';
import { Skeleton } from './skeleton.tsx';

/** What a query answered, or its skeleton, or why it did not: each part of a screen says so by itself. */
export function Loaded<T>({
  query,
  lines = 4,
  children,
}: {
  readonly query: UseQueryResult<T>;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}): ReactNode {
  if (query.data !== undefined) return children(query.data);
  return <Missing query={query} lines={lines} />;
}

/** In place of what is not there: its skeleton, or why it does not come, also while it is asked again. */
export function Missing({
  query: { error, failureReason },
  lines,
}: {
  readonly query: Pick<UseQueryResult, 'error' | 'failureReason'>;
  readonly lines?: number;
}): ReactNode {
  const queries = useQueryClient();
  const why = error ?? failureReason;
  if (why === null) return <Skeleton {...(lines === undefined ? {} : { lines })} />;
  return <Failure error={why} again={() => void askAgain(queries)} />;
}
