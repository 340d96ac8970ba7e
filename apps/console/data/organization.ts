import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { organizationsQuery, type Organization, type Role } from './session.ts';

/** The organization that the address names. */
export function useTenant(): string {
  const { tenant } = useParams({ strict: false }) as { tenant?: string };
  if (tenant === undefined) throw new Error('the address names no organization');
  return tenant;
}

export function useOrganization(): Organization {
  const tenant = useTenant();
  const { data } = useQuery(organizationsQuery);
  const found = data?.find(({ id }) => id === tenant);
  if (found === undefined) throw new Error('the organization is not known');
  return found;
}

/** Whether the person's role is one of these: what they may not do is not offered. */
export function useMay(...roles: readonly Role[]): boolean {
  return roles.includes(useOrganization().role);
}
