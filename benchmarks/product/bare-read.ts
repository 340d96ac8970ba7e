import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { permit } from '@steward/access';
import { openTenant } from '@steward/identity';
import { type PrincipalRef } from '@steward/kernel';
import { createTenancy, openPool, sql } from '@steward/sql';

/** The read that `service_list_accounts` does, in one round trip with tenant and membership, and nothing of the protocol. */
export interface BareReadSetup {
  readonly databaseUrl: string;
  readonly tenant: string;
  readonly subject: PrincipalRef;
}

process.once('message', ({ databaseUrl, tenant, subject }: BareReadSetup) => {
  const tenancy = createTenancy({
    pool: openPool({ url: databaseUrl }),
    openTenant,
    append: async () => undefined,
    publish: async () => undefined,
  });
  const context = tenancy.context({
    tenant,
    subject,
    chain: [subject],
    caller: subject,
    requestId: 'bench',
    correlationId: 'bench',
  });
  const scope = context.require(permit('bench', ['owner']));
  const answer = async (response: ServerResponse): Promise<void> => {
    const rows = await scope.read(
      sql`select account_id, code, name, type, control, currency from accounting.account
          where archived_at is null and code > ${''} and (${null}::text is null or type = ${null})
          order by code limit ${6}::int`,
    );
    const body = JSON.stringify(rows);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  };
  const server = createServer((_request, response) => void answer(response));
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.on('disconnect', () => process.exit());
