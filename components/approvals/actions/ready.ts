import { grantAdmits } from '@steward/access';
import type { Problem } from '@steward/kernel';
import { type Command } from '@steward/tools';
import { errors } from '../errors.ts';
import type { Deps } from '../deps.ts';
import { granteeOf, type Action } from './action.ts';
import { rehearse, type Rehearsed } from './preview.ts';
import { callerOf, itself, requesterContext, requireAccessProfile } from './requester.ts';

/** An action made ready to be judged: what it would do at this moment. */
export interface Ready {
  readonly command: Command;
  readonly args: unknown;
  /** Canonical JSON. */
  readonly arguments: string;
  readonly shown: Rehearsed;
  /** Version of the tenant's tool policy. */
  readonly toolPolicy: number;
}

/**
 * The command of an action.
 * @throws Problem `tool_unavailable` (409) when the tenant has switched it off, or this version has no such tool;
 *   `tenant_forbidden` when the proposer is no member any more
 */
export async function commandOf(
  deps: Deps,
  tenant: string,
  action: Pick<Action, 'tool' | 'requestedBy' | 'subject' | 'agentId' | 'clientId'>,
): Promise<{ command: Command; toolPolicy: number }> {
  const command = deps.commands.get(action.tool);
  const profile = await requireAccessProfile(deps.accessProfile, callerOf(action), tenant);
  if (command === undefined || profile.deniedTools.has(action.tool))
    throw errors(
      'tool_unavailable',
      `${action.tool} is switched off in this organization: the action cannot be executed.`,
    );
  // A grant limits agents; a client that was shut out may propose nothing with any token.
  if (profile.grant?.revoked === true || (granteeOf(action) !== undefined && !grantAdmits(command.tool, profile.grant)))
    throw errors(
      'tool_unavailable',
      `The caller who proposed ${action.tool} was shut out, or its grant no longer allows the tool.`,
    );
  return { command, toolPolicy: profile.policyVersion };
}

/** Rehearses the action as its proposer. @throws what `commandOf` and the tool throw */
export async function makeReady(deps: Deps, tenant: string, action: Action): Promise<Ready> {
  const { command, toolPolicy } = await commandOf(deps, tenant, action);
  const args = JSON.parse(action.arguments) as unknown;
  const context = requesterContext(deps, tenant, action, itself, `approvals-${action.id}`);
  return {
    command,
    args,
    arguments: action.arguments,
    shown: await rehearse(deps, context, callerOf(action), command, args),
    toolPolicy,
  };
}

/** The tool itself refuses now what it once showed. */
export const impossible = ({ code, detail, errors: faults }: Problem): Problem =>
  errors('stale_preview', `The action cannot be executed now: ${detail}`, {
    errors: faults ?? [{ pointer: '/previewHash', code, detail }],
  });
