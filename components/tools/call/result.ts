import type { Tier } from '@steward/access';
import type { FieldError, Problem } from '@steward/kernel';
import type { Outcome } from '../catalogue/tool.ts';

/** A tool result as it leaves: JSON of the interface's fields. */
export interface PresentedResult {
  readonly json: string;
  readonly failed: boolean;
}

/** What a tool answered, in the interface's words. Under `preview` nothing has changed. */
export function presentOutcome(tier: Tier, outcome: Outcome, preview: boolean): PresentedResult {
  const { summary, data, warning, pendingActionId, nextRequestHeaders } = outcome;
  const status = preview ? 'preview' : pendingActionId === undefined ? 'ok' : 'pending_approval';
  const json = JSON.stringify({
    status,
    tier,
    summary,
    data: preview ? undefined : data,
    warning,
    preview: preview ? (outcome.preview ?? data ?? null) : outcome.preview,
    pending_action_id: pendingActionId,
    next_request_headers: nextRequestHeaders,
  });
  return { json, failed: false };
}

/** A failure that the agent can act on. */
export const presentFailure = (
  tier: Tier,
  code: string,
  summary: string,
  errors?: readonly FieldError[],
): PresentedResult => ({
  json: JSON.stringify({
    status: 'error',
    tier,
    summary,
    data: errors === undefined ? undefined : { errors },
    error_code: code,
  }),
  failed: true,
});

export const presentProblem = (tier: Tier, { code, detail, errors }: Problem): PresentedResult =>
  presentFailure(tier, code, detail, errors);
