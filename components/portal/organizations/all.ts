import { connectTo, jobRoleOf, quote } from '@steward/sql';

/**
 * Every tenant there is, for work over all of them such as verifying that none lacks its chain.
 * @param ownerUrl the owner's login, which may act as the directory's role
 */
export async function allTenants(ownerUrl: string): Promise<string[]> {
  const client = await connectTo(ownerUrl, { applicationName: 'steward-tenants' });
  try {
    await client.query(`set role ${quote(await jobRoleOf(client, 'portal_directory'))}`);
    const { rows } = await client.query<{ tenant: string }>('select tenant_id as tenant from portal.tenant order by 1');
    return rows.map(({ tenant }) => tenant);
  } finally {
    await client.end();
  }
}
