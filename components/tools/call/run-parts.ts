import type { CheckedArguments, CompiledTool } from '../catalogue/compile.ts';
import type { RpcRequest, ToolServer } from '../rpc/request.ts';
import type { Results } from '../rpc/result.ts';

/** What one run of one tool is made of. */
export interface RunParts {
  readonly server: ToolServer;
  readonly results: Results;
  readonly request: RpcRequest;
  readonly tool: CompiledTool;
  readonly tenant: string | undefined;
  /** As the client sent them. */
  readonly args: unknown;
  readonly checked: CheckedArguments;
}
