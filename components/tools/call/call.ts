import { andThen, isShutOut, type MaybePromise, type AccessProfile } from '@steward/access';
import { Problem, problemOf } from '@steward/kernel';
import { narrowed, type View, views } from '../catalogue/view.ts';
import { codes, ProtocolError } from '../protocol/error.ts';
import { isObject } from '../protocol/message.ts';
import { checkName } from '../protocol/modern.ts';
import type { ToolServer, Reply, RpcRequest } from '../rpc/request.ts';
import { enter, headerOf } from '../rpc/enter.ts';
import type { Results } from '../rpc/result.ts';
import { shutOutWords } from '../own/shut-out.ts';
import type { Address } from '../door/address.ts';
import { perform } from './perform.ts';
import { presentProblem } from './result.ts';
import { required, tenantOf } from './tenant.ts';

/**
 * `tools/call`. What is not listed cannot be called; unknown and invisible are one answer. Failures of the tenant, of
 * the arguments and of the tool are tool results, which the model sees; only a wrong protocol is a JSON-RPC error.
 */
export function createCalls(server: ToolServer, results: Results): (request: RpcRequest) => MaybePromise<Reply> {
  const { deps, classes, surface, meter } = server;
  const tenantRequired = presentProblem('read', required(deps.addresses.mcp));
  const bootstrap = ({ visit }: RpcRequest, name: string) =>
    classes(visit.caller, undefined, visit.address.view).tools.get(name);

  const failed = (request: RpcRequest, cause: unknown): Reply => {
    if (cause instanceof ProtocolError) throw cause;
    const { requestId } = request.visit;
    if (!(cause instanceof Problem)) deps.log.error({ err: cause, requestId }, 'tool call failed');
    return results.tool(request, presentProblem('read', problemOf(cause)));
  };

  const refused = async ({ visit }: RpcRequest, name: string, tenant: string, held: AccessProfile): Promise<never> => {
    meter.refused(surface);
    const context = deps.contextFor(visit.caller, tenant, visit.requestId);
    // The same work for an unknown name as for an invisible tool, so that the time does not distinguish them.
    await deps.recordDenied(context, { tool: name.slice(0, 64), code: 'tool_unavailable', surface });
    // It is one answer for every name, and told to the agent of a member alone.
    if (isShutOut(held)) throw new ProtocolError(200, codes.invalidParams, shutOutWords);
    // Each address is looked at, whether there is such a tool or not: the time says nothing either.
    const [at] = views.filter((view) => classes(visit.caller, held, view).tools.has(name));
    throw at === undefined ? unknownTool(visit.address) : elsewhere(name, at, visit.address);
  };

  const inTenant = (request: RpcRequest, name: string, tenant: string, profile: AccessProfile): MaybePromise<Reply> => {
    const { visit } = request;
    const found = (held: AccessProfile) => classes(visit.caller, held, visit.address.view).tools.get(name);
    const tool = found(profile);
    if (tool === undefined) return refused(request, name, tenant, profile);
    const findAgain = () =>
      andThen(enter(server, visit, tenant), (held) =>
        found(held) === undefined ? refused(request, name, tenant, held) : held,
      );
    return perform(server, results, request, tool, { id: tenant, profile, findAgain });
  };

  const withoutTenant = (request: RpcRequest, name: string): MaybePromise<Reply> => {
    const tool = bootstrap(request, name);
    return tool === undefined
      ? results.tool(request, tenantRequired)
      : perform(server, results, request, tool, undefined);
  };

  const answer = (request: RpcRequest, name: string): MaybePromise<Reply> => {
    const { visit, message } = request;
    const given = tenantArgument(message.params['arguments']);
    const tenant = tenantOf({
      header: headerOf(visit),
      address: visit.address.tenant,
      claim: visit.caller.tenantClaim,
      // A tool that needs no tenant may take one as its own argument: the one to select.
      argument: given !== undefined && bootstrap(request, name) === undefined ? given : undefined,
    });
    if (tenant === undefined) return withoutTenant(request, name);
    return andThen(enter(server, visit, tenant), (profile) => inTenant(request, name, tenant, profile));
  };

  return (request) => {
    const { visit, message, era } = request;
    const name = message.params['name'];
    if (typeof name !== 'string') {
      throw new ProtocolError(era === 'modern' ? 400 : 200, codes.invalidParams, 'params.name must be a string.');
    }
    if (era === 'modern') checkName(name, visit.headers);
    try {
      const reply = answer(request, name);
      return reply instanceof Promise ? reply.catch((cause: unknown) => failed(request, cause)) : reply;
    } catch (cause) {
      return failed(request, cause);
    }
  };
}

/** The addresses start so under which the caller came: a token of a tenant's address opens no others. */
const startOf = ({ url, view }: Address): string => (view === 'core' ? url : url.slice(0, -`/p/${view}`.length));

/** Another one for a name would reveal tools that the caller sees at no address. */
const unknownTool = (address: Address): ProtocolError =>
  new ProtocolError(
    200,
    codes.invalidParams,
    `Unknown tool: tools/list shows the tools that you can call here. ${startOf(address)} has the core tools, and ` +
      `${startOf(address)}/p/ followed by one of these has others: ${narrowed.join(', ')}. Tools that your role, grant, policy, ` +
      'billing tier or the scopes of your token exclude are not listed; service_whoami tells more.',
  );

const elsewhere = (name: string, view: View, address: Address): ProtocolError =>
  new ProtocolError(
    200,
    codes.invalidParams,
    `Unknown tool at this address: ${name} is at ${startOf(address)}${view === 'core' ? '' : `/p/${view}`}. Call it there.`,
  );

function tenantArgument(args: unknown): string | undefined {
  const given = isObject(args) ? args['tenant_id'] : undefined;
  return typeof given === 'string' ? given : undefined;
}
