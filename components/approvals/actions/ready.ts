import { askAgain, grantAdmits } from '@steward/access';
import type { PrincipalRef, Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
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
 * The command of an action, and what the context of its proposer is judged by.
 * @throws Problem `tool_unavailable` (409) when the tenant has switched it off, or this version has no such tool;
 *   `tenant_forbidden` when the proposer is no member any more
 */
export async function commandOf(
  deps: Deps,
  context: TenantContext,
  action: Pick<Action, 'tool' | 'requestedBy' | 'subject' | 'agentId' | 'clientId'>,
): Promise<{ command: Command; toolPolicy: number }> {
  const command = deps.commands.get(action.tool);
  const profile = await requireAccessProfile(deps.accessProfile, callerOf(action), context);
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

/** The proposer of an action, in the tenant and with the command: judged now, and again if access changes before they enter. */
export interface Requester {
  readonly context: TenantContext;
  readonly command: Command;
  /** Version of the tenant's tool policy, as they were judged by last. */
  readonly toolPolicy: number;
}

/** @throws what `commandOf` throws */
export async function asRequester(
  deps: Deps,
  tenant: string,
  action: Action,
  by: PrincipalRef,
  requestId: string,
): Promise<Requester> {
  const context = requesterContext(deps, tenant, action, by, requestId);
  let judged = await commandOf(deps, context, action);
  askAgain(context, async (anew) => {
    judged = await commandOf(deps, anew, action);
  });
  return {
    context,
    command: judged.command,
    get toolPolicy() {
      return judged.toolPolicy;
    },
  };
}

/** Rehearses the action as its proposer. @throws what `commandOf` and the tool throw */
export async function makeReady(deps: Deps, tenant: string, action: Action): Promise<Ready> {
  const requester = await asRequester(deps, tenant, action, itself, `approvals-${action.id}`);
  const { context, command } = requester;
  const args = JSON.parse(action.arguments) as unknown;
  const shown = await rehearse(deps, context, callerOf(action), command, args);
  return { command, args, arguments: action.arguments, shown, toolPolicy: requester.toolPolicy };
}

/** The tool itself refuses now what it once showed, so there is nothing to show anew. */
export const impossible = ({ code, detail, errors: faults }: Problem): Problem =>
  errors('stale_preview', `As things are now, this can no longer happen: ${detail}`, {
    errors: faults ?? [{ pointer: '/previewHash', code, detail }],
    members: { executable: false },
  });
