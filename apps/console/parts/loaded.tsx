import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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
  if (query.isPending) return <Skeleton lines={lines} />;
  return <Failure error={query.error} again={() => void query.refetch()} />;
}
