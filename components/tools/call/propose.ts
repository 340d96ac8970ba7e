import { type AccessProfile, awaitsPeople, type MaybePromise } from '@steward/access';
import type { TenantContext } from '@steward/sql';
import type { Proposed } from '../catalogue/ports.ts';
import type { InputRequest } from '../catalogue/question.ts';
import type { RunParts } from './run-parts.ts';

export function waitsForApproval(
  { server, request, tool }: RunParts,
  context: TenantContext | undefined,
  profile: AccessProfile | undefined,
): MaybePromise<boolean> {
  if (context === undefined || tool.tool === undefined) return false;
  return awaitsPeople(server.deps.approvals, context, request.visit.caller, tool.tool, profile?.grant);
}

/** Proposes the command, or continues with what was proposed before its user was sent to an address. */
export async function propose(parts: RunParts, context: TenantContext, remembered: unknown): Promise<Proposed> {
  const { server, request, tool, checked } = parts;
  const { approvals } = server.deps;
  if (approvals === undefined || tool.tool === undefined) throw new TypeError(`${tool.name} cannot be approved here`);
  const nonce = (remembered as { visit?: string } | undefined)?.visit;
  if (nonce !== undefined) return approvals.resume(context, request.visit.caller, nonce);
  return approvals.propose(context, {
    tool: tool.tool,
    args: checked.own,
    idempotencyKey: checked.idempotencyKey,
    caller: request.visit.caller,
    surface: server.surface,
    opensAddresses: request.capabilities.has('elicitation.url'),
  });
}

/** An elicitation in URL mode: the client shows the address, and nothing but consent to open it comes back. */
export const visitRequest = ({
  url,
  message,
}: NonNullable<Proposed['visit']>): Readonly<Record<string, InputRequest>> => ({
  approval: { method: 'elicitation/create', params: { mode: 'url', message, url } },
});
