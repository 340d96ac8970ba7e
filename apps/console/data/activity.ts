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

/** The agent that did it, by its present name. */
export function agentOf({ principal_chain, display_names = {} }: AuditEvent): string | undefined {
  const found = principal_chain.find(({ principal_type }) => principal_type === 'agent');
  return found === undefined ? undefined : (display_names[`agent:${found.principal_id}`] ?? found.principal_id);
}

/** What happened, as it is read: `commerce.order.placed` is `order placed`. */
export const happened = (type: string): string => type.split('.').slice(1).join(' ').replaceAll('_', ' ');

/** `refund_order` is `Refund order`. */
export function sentence(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
