import { personalScopes, refusalOf } from '@steward/access';
import { fail, newId, Problem } from '@steward/kernel';
import type { Admitted } from '@steward/identity';
import { sql } from '@steward/sql';
import { type Command, type Tool } from '@steward/tools';
import type { Deps } from '../deps.ts';
import { proposeActions } from '../permissions.ts';
import { ofBody, readArguments } from './arguments.ts';
import { errors } from '../errors.ts';
import { showAction } from './get.ts';
import type { ProposedAction } from './schema.ts';
import { propose } from './request.ts';
import { requesterOf, requireAccessProfile } from './requester.ts';

export interface ToolRequest {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string | undefined;
}

/** Whether a command awaits people in the caller's tenant, by its own tier or by the tenant's policy. */
export type Awaits = (admitted: Admitted, tool: Tool) => boolean | Promise<boolean>;

/**
 * A person asks for what awaits people, without a login that could decide: any such tool that their role lets them use. The same key
 * with the same arguments is the same action, whatever has become of it.
 * @throws Problem `invalid_request` (400) for a tool that there is not, or not for them; `invalid_arguments` (400),
 *   `nothing_to_approve`, `idempotency_conflict` (409), `too_many_pending` (429), and what the tool throws in its preview
 */
export async function ask(
  deps: Deps,
  awaits: Awaits,
  admitted: Admitted,
  { tool: name, arguments: given, idempotencyKey = newId() }: ToolRequest,
): Promise<ProposedAction> {
  const { caller, context } = admitted;
  const command = await commandFor(deps, awaits, admitted, name);
  const { tool } = command;
  const args = readArguments(command, given);
  let warning: string | undefined;
  try {
    const proposal = { tool, args, idempotencyKey, caller, surface: 'public', opensAddresses: false } as const;
    const { outcome } = await ofBody(command, propose(deps, context, proposal));
    if (outcome.unchanged === true) throw errors('nothing_to_approve', outcome.summary);
    ({ warning } = outcome);
  } catch (error) {
    // The action itself says how it ended.
    if (!(error instanceof Problem) || !error.code.startsWith('action_')) throw error;
  }
  const [row] = await context.require(proposeActions).read<{ id: string }>(sql`
    select action_id as id from approvals.action
    where tenant_id = ${context.tenant} and requester = ${requesterOf(caller)} and tool = ${tool.name} and idempotency_key = ${idempotencyKey}`);
  const shown = await showAction(deps, context, row?.id ?? '');
  return warning === undefined ? shown : { ...shown, warning };
}

/** What narrows agents does not bind people; scopes of tools do where the token itself names any. */
async function commandFor(deps: Deps, awaits: Awaits, admitted: Admitted, name: string): Promise<Command> {
  const { caller, context } = admitted;
  const profile = { ...(await requireAccessProfile(deps.accessProfile, caller, context)), grant: undefined };
  const command = deps.commands.get(name);
  const scopes = personalScopes(caller);
  if (
    command === undefined ||
    refusalOf(command.tool, { surface: 'public', scopes, profile }) !== undefined ||
    !(await awaits(admitted, command.tool))
  ) {
    const detail = 'No tool of this name needs approval here, or your role may not use it: check the name.';
    throw fail('invalid_request', detail, { errors: [{ pointer: '/tool', code: 'unknown_tool', detail }] });
  }
  return command;
}
