import type { Paged } from './queries.ts';

/** An event of the audit log, as lists have it. */
export interface AuditEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly principal_chain: readonly Principal[];
  readonly display_names?: Readonly<Record<string, string>>;
  readonly received_at: string;
}

export interface Principal {
  readonly principal_type: 'user' | 'agent' | 'service' | 'system';
  readonly principal_id: string;
}

export type AuditEvents = Paged<AuditEvent>;

/** The agent that did it, and what it calls itself. */
export function agentOf({
  principal_chain,
  display_names = {},
}: AuditEvent): { readonly id: string; readonly name: string | undefined } | undefined {
  const found = principal_chain.find(({ principal_type }) => principal_type === 'agent');
  return found && { id: found.principal_id, name: display_names[`agent:${found.principal_id}`] };
}

/** What happened, as it is read: `commerce.order.placed` is `order placed`. */
export const happened = (type: string): string => type.split('.').slice(1).join(' ').replaceAll('_', ' ');

/** `refund_order` is `Refund order`. */
export function sentence(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Asked {
  readonly type: string;
  /** Some lists leave it out. */
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly principal_chain: readonly { readonly principal_type: string }[];
}

/**
 * By what an event is said: who asked may be a person too, and what a standing rule approved nobody did. A person decides without
 * an agent, so an approval in whose chain one is came from a rule.
 */
export function saying({ type, payload, principal_chain: chain }: Asked): string {
  const agent = chain.some(({ principal_type: principal }) => principal === 'agent');
  if (type === 'approvals.action.requested' && !agent) return `${type} by a person`;
  if (type === 'approvals.action.approved' && (agent || payload?.['rule_id'] !== undefined)) return `${type} by a rule`;
  return type;
}
