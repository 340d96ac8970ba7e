import type { AccessProfile, MaybePromise } from '@steward/access';
import type { CheckedArguments, CompiledTool } from '../catalogue/compile.ts';
import type { RpcRequest, ToolServer } from '../rpc/request.ts';
import type { Results } from '../rpc/result.ts';

/** The tenant that a tool is called in. */
export interface Entered {
  readonly id: string;
  /** By which the caller sees the tool. */
  readonly profile: AccessProfile;
  /** Looks for the tool once more, by what is true now. @throws what a call of a tool that is not seen is refused with */
  findAgain(): MaybePromise<AccessProfile>;
}

/** What one run of one tool is made of. */
export interface RunParts {
  readonly server: ToolServer;
  readonly results: Results;
  readonly request: RpcRequest;
  readonly tool: CompiledTool;
  readonly tenant: Entered | undefined;
  /** As the client sent them. */
  readonly args: unknown;
  readonly checked: CheckedArguments;
}
