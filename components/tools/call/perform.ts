import type { MaybePromise } from '@steward/access';
import type { FieldError } from '@steward/kernel';
import type { CompiledTool } from '../catalogue/compile.ts';
import { faultsTold } from '../catalogue/faults.ts';
import { checkMirrored } from '../catalogue/mirrored.ts';
import type { ToolServer, Reply, RpcRequest } from '../rpc/request.ts';
import type { Results } from '../rpc/result.ts';
import { presentFailure, type PresentedResult } from './result.ts';
import { Run } from './run.ts';
import type { Entered } from './run-parts.ts';

/** Calls a visible tool: mirrored headers and arguments are checked, then it runs. */
export function perform(
  server: ToolServer,
  results: Results,
  request: RpcRequest,
  tool: CompiledTool,
  tenant: Entered | undefined,
): MaybePromise<Reply> {
  const { visit, message, era } = request;
  const args = message.params['arguments'] ?? {};
  if (era === 'modern' && tool.mirrored.length > 0) checkMirrored(tool.mirrored, args, visit.headers);
  const checked = tool.check(args);
  if ('own' in checked) return new Run({ server, results, request, tool, tenant, args, checked }).start();
  server.meter.called(server.surface, tool.name, 'invalid_arguments', performance.now() - visit.since);
  return results.tool(request, invalidArguments(tool, checked));
}

function invalidArguments({ tier }: CompiledTool, faults: readonly FieldError[]): PresentedResult {
  return presentFailure(tier, 'invalid_arguments', `The arguments are not valid: ${faultsTold(faults)}`, faults);
}
