import { newId } from '@steward/kernel';
import type { Tenancy, TenantScope } from '@steward/sql';
import { deliverWebhooks } from '../permissions.ts';

const principal = { type: 'system', id: 'deliveries' } as const;

/** The component's own way into a tenant. */
export function itself({ tenancy }: { readonly tenancy: Pick<Tenancy, 'systemContext'> }, tenant: string): TenantScope {
  const id = newId();
  return tenancy
    .systemContext({
      tenant,
      chain: [principal],
      subject: principal,
      caller: principal,
      requestId: `deliveries-${id}`,
      correlationId: id,
    })
    .require(deliverWebhooks);
}
