import { fail, type Problem } from '@steward/kernel';

/** Where a request may name its tenant (contracts §4). */
export interface TenantNames {
  readonly header: string | undefined;
  readonly address: string | undefined;
  readonly claim: string | undefined;
  readonly argument: string | undefined;
}

/**
 * The one tenant a request names, or undefined when it names none; there is no default.
 * @throws Problem `tenant_mismatch` where two of them differ
 */
export function tenantOf({ header, address, claim, argument }: TenantNames): string | undefined {
  const tenant = address ?? header ?? claim ?? argument;
  if (
    (header === undefined || header === tenant) &&
    (claim === undefined || claim === tenant) &&
    (argument === undefined || argument === tenant)
  ) {
    return tenant;
  }
  throw fail(
    'tenant_mismatch',
    'The request names two different organizations: the X-Tenant-ID header, the address, the token and tenant_id must agree.',
  );
}

/** The same answer for an organization that is not the caller's and one that does not exist. */
export const forbidden = (): Problem =>
  fail(
    'tenant_forbidden',
    'You are not a member of this organization, or it does not exist. service_list_orgs lists your organizations.',
  );

/** One answer for every tool that needs a tenant, existing or not. */
export const required = (mcp: string): Problem =>
  fail(
    'tenant_required',
    'Name the organization: call service_list_orgs and service_set_org, then send the X-Tenant-ID header it returns; ' +
      `or pass tenant_id in the arguments; or connect to ${mcp}/t/{tenant_id}.`,
    { errors: [{ pointer: '/tenant_id', code: 'required', detail: 'No organization is named.' }] },
  );
