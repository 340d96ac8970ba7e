import { Link, useNavigate, useSearch, type LinkComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTenant } from '../data/organization.ts';

/** A path below the organization, with its search: `/approvals?state=pending`. */
export type To = `/${string}` | '';

export function useTo(): (to: To) => string {
  const tenant = useTenant();
  return (to) => `/o/${tenant}${to === '/' ? '' : to}`;
}

interface GoProps {
  readonly to: To;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly onClick?: () => void;
  readonly exact?: boolean;
  readonly label?: string;
}

/** A link within the organization. */
export function Go({ to, children, className, onClick, exact = false, label }: GoProps): ReactNode {
  const [path = '', search = ''] = useTo()(to).split('?');
  const props = {
    to: path,
    search: Object.fromEntries(new URLSearchParams(search)),
    className,
    onClick,
    preload: 'intent',
    activeOptions: { exact, includeSearch: false },
    'aria-label': label,
  } as unknown as LinkComponentProps;
  return <Link {...props}>{children}</Link>;
}

export function useGo(): (to: To, options?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate();
  const full = useTo();
  return (to, { replace = false } = {}) => {
    const [path = '', search = ''] = full(to).split('?');
    void navigate({ to: path, search: Object.fromEntries(new URLSearchParams(search)) as never, replace });
  };
}

export type Filters = Readonly<Record<string, string | undefined>>;

/** Filters live in the address, so that what is seen is a link. An empty one is left out. */
export function useFilters(): [Filters, (change: Filters) => void] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const set = (change: Filters): void => {
    const next = Object.fromEntries(
      Object.entries({ ...filters, ...change }).filter(([, value]) => value !== undefined && value !== ''),
    );
    void navigate({ to: '.', search: next as never, replace: true });
  };
  return [filters, set];
}
