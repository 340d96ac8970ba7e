import { narrowed } from '../catalogue/view.ts';
import { codes, ProtocolError } from '../protocol/error.ts';
import type { Message } from '../protocol/message.ts';
import { negotiate, supportedRevisions } from '../protocol/revisions.ts';
import type { Reply, RpcRequest } from './request.ts';
import type { Results, ServerInfo } from './result.ts';

/** What is said of this server does not change while a version runs. Milliseconds. */
const discoverTtl = 300_000;

const instructions = (mcp: string): string =>
  'Steward runs the back office of organizations. Start with service_list_orgs and service_set_org. Then send the ' +
  'X-Tenant-ID header that service_set_org returns with every request, or pass tenant_id in the arguments of each ' +
  `call, or connect to ${mcp}/t/{tenant_id}. Those two addresses list the core tools only. Others are listed and called at addresses ` +
  `below them, ${mcp}/p/ or ${mcp}/t/{tenant_id}/p/, followed by one of: ${narrowed.join(', ')}. So products, prices, stock, tax, shipping ` +
  'and discounts of a shop are at /p/commerce. A pillar that has areas does not list all of its tools: the rest is at the areas. Every result has status (ok, preview, pending_approval or error), summary and data; an error has error_code, ' +
  'and data.errors names what to mend by pointer. Every command takes preview: true to show its effect without changing ' +
  'anything, and an idempotency_key that makes a repeat safe. A call that answers pending_approval takes effect only after a person approves it: give ' +
  'your user the address of the approval page, and follow the call with service_get_pending_action.';

const capabilities = '"capabilities":{"tools":{}}';

/** Members of the answer to the handshake. @throws ProtocolError -32602 */
export function legacyOpening({ params }: Pick<Message, 'params'>, serverInfo: ServerInfo): string {
  const asked = params['protocolVersion'];
  if (typeof asked !== 'string')
    throw new ProtocolError(200, codes.invalidParams, 'params.protocolVersion must be a string.');
  return `"protocolVersion":"${negotiate(asked)}",${capabilities},"serverInfo":${JSON.stringify(serverInfo)}`;
}

/** The two ways a client opens: the handshake of the legacy era, and the modern era's discovery. */
export function openings(
  serverInfo: ServerInfo,
  mcp: string,
  results: Results,
): {
  initialize(request: RpcRequest): Reply;
  discover(request: RpcRequest): Reply;
} {
  const guidance = `"instructions":${JSON.stringify(instructions(mcp))}`;
  return {
    initialize: (request) => results.complete(request, `${legacyOpening(request.message, serverInfo)},${guidance}`),
    discover: (request) =>
      results.complete(
        request,
        `"supportedVersions":${JSON.stringify(supportedRevisions)},${capabilities},${guidance},` +
          `"ttlMs":${discoverTtl},"cacheScope":"private"`,
      ),
  };
}
