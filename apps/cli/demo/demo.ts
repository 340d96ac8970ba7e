import { mintToken } from '@steward/identity/provider';
import { audiencesOf, type CommandEnvironment } from '../instance.ts';
import { verify } from '../audit/verify.ts';
import { send, short, type Json, type Reply, type Request } from './client.ts';
import { formJourney } from './form.ts';
import { inviteJourney } from './invite.ts';
import { startThrowAway } from './throw-away.ts';

/** The whole journey against a throw-away instance, each request and answer in short. The exit code. */
export async function demoCommand({ PATH: path }: CommandEnvironment): Promise<number> {
  console.log('Starting a throw-away instance …');
  await using demo = await startThrowAway(path);
  const { addresses, issuer, dataDir } = demo.instance;
  let number = 0;
  const step = (what: string): void => console.log(`\n${(number += 1)}. ${what}`);
  const ask = async (request: Request, show: (reply: Reply) => unknown): Promise<Reply> => {
    console.log(
      `   → ${request.body === undefined ? 'GET ' : 'POST'} ${request.url}  ${request.body === undefined ? '' : short(request.body, 110)}`,
    );
    const reply = await send(request);
    console.log(`   ← ${reply.status}  ${short(show(reply))}`);
    return reply;
  };

  step("The owner's token");
  const token = await mintToken({ dataDir, issuer, audiences: audiencesOf(addresses), user: 'alice@example.com' });
  console.log(`   ← ${token.slice(0, 24)}…`);
  const bearer = { authorization: `Bearer ${token}` };

  step('Sign up: one call, a working tenant');
  const signup = await ask(
    {
      url: `${addresses.portal}/api/external-agent/signup`,
      body: { organizationName: 'Fjord Bikes', defaultCurrency: 'NOK', persona: 'retail' },
      headers: { ...bearer, 'idempotency-key': 'demo-signup-1' },
    },
    ({ body }) => ({ organization: body['organization'], billing: body['billing'] }),
  );
  const tenant = String(signup.body['organization']?.['id']);
  const inTenant = { ...bearer, 'x-tenant-id': tenant };

  step('The manifest: what this token may do here');
  await ask({ url: `${addresses.mcp}/manifest`, headers: inTenant }, ({ body }) => body['counts']);

  let id = 0;
  const rpc = async (
    method: string,
    params: object | undefined,
    show: (result: Json) => unknown,
    headers: Record<string, string> = bearer,
  ): Promise<Json> => {
    const body = { jsonrpc: '2.0', id: (id += 1), method, ...(params === undefined ? {} : { params }) };
    const reply = await ask({ url: addresses.mcp, body, headers }, (got) => show(got.body['result'] ?? got.body));
    return reply.body['result'] ?? {};
  };
  const modern = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'demo', version: '1' },
    },
  };
  const legacy = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'demo', version: '1' } };
  const toolResult = (result: Json): unknown => result['structuredContent'];

  step('MCP, both eras: initialize and server/discover');
  await rpc('initialize', legacy, (result) => ({
    protocolVersion: result['protocolVersion'],
    serverInfo: result['serverInfo'],
  }));
  await rpc('server/discover', modern, (result) => ({ supportedVersions: result['supportedVersions'] }), {
    ...bearer,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'server/discover',
  });

  step('tools/list, before a tenant is chosen and after');
  const names = (result: Json): unknown => (result['tools'] as unknown as { name: string }[]).map(({ name }) => name);
  await rpc('tools/list', undefined, names);
  const selected = await rpc('tools/call', { name: 'service_set_org', arguments: { tenant_id: tenant } }, toolResult);
  const headers = {
    ...bearer,
    ...(selected['structuredContent']?.['next_request_headers'] as unknown as Record<string, string>),
  };
  await rpc('tools/list', undefined, names, headers);

  step('A reading tool and a writing one');
  await rpc('tools/call', { name: 'service_list_accounts', arguments: { limit: 3 } }, toolResult, headers);
  await rpc(
    'tools/call',
    { name: 'service_update_organization', arguments: { name: 'Fjord Bikes AS', preview: true } },
    toolResult,
    headers,
  );
  await rpc(
    'tools/call',
    { name: 'service_update_organization', arguments: { name: 'Fjord Bikes AS', idempotency_key: 'demo-rename-1' } },
    toolResult,
    headers,
  );

  await formJourney({
    addresses,
    inTenant,
    step,
    ask,
    call: async (name, args) =>
      (await rpc('tools/call', { name, arguments: args }, toolResult, headers))['structuredContent']?.['data'] ?? {},
  });

  const tokenOf = async (who: { readonly user: string; readonly approver?: boolean }): Promise<string> =>
    mintToken({ dataDir, issuer, audiences: audiencesOf(addresses), ...who });
  const email = 'bob@example.com';
  await inviteJourney({
    portal: addresses.portal,
    decider: {
      ...inTenant,
      authorization: `Bearer ${await tokenOf({ user: 'alice@example.com', approver: true })}`,
    },
    invited: { email, headers: { authorization: `Bearer ${await tokenOf({ user: email })}` } },
    step,
    ask,
    call: async (name, args) =>
      (await rpc('tools/call', { name, arguments: args }, toolResult, headers))['structuredContent'] ?? {},
  });

  step('An event of your own in the audit log');
  await ask(
    {
      url: `${addresses.accounting}/api/audit/events`,
      headers: inTenant,
      body: {
        type: 'commerce.order.imported',
        event_version: '1.0.0',
        grammar: 'commerce',
        source: 'demo-shop',
        payload: { order_id: 'order-1001', total: '1499.00' },
        principal_chain: [{ principal_type: 'service', principal_id: 'demo-shop' }],
        occurred_at: new Date().toISOString(),
        idempotency_key: 'demo-order-1001',
      },
    },
    ({ body }) => ({ sequence: body['sequence'], row_hash: body['row_hash'] }),
  );

  step('What happened here, newest first');
  const events = await ask(
    { url: `${addresses.accounting}/api/audit/events?limit=50`, headers: inTenant },
    ({ body }) => {
      const items = body['items'] as unknown as { sequence: number; type: string }[];
      return items.map(({ sequence, type }) => `${sequence} ${type}`);
    },
  );
  const count = (events.body['items'] as unknown as unknown[]).length;

  step('The chain, recomputed from the stored text');
  const verdict = await verify(demo.env, { tenant });
  console.log(`   ← ${verdict.summary}`);
  const good = verdict.ok && verdict.events === count;
  console.log(good ? '\nThe chain is verified.' : '\nThe chain is NOT verified.');
  return good ? 0 : 1;
}
