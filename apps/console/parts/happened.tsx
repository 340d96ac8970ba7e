import type { ReactNode } from 'react';
import { useToDecide } from '../data/to-decide.ts';
import { useWords } from '../words/language.ts';
import { Said } from './said.tsx';

interface Event {
  readonly type: string;
  /** Some lists leave it out. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** What happened, and of an action what: `Refund an order · An agent asked for it`. A type without words is said as it is, or as the caller says. */
export function useHappened(): (event: Event, otherwise?: string) => string {
  const words: Readonly<Record<string, string>> = useWords().parts.eventTypes;
  // The navigation has asked for them: what waits knows how its tools are called.
  const waiting = useToDecide().data?.items ?? [];
  return ({ type, payload }, otherwise = type) => {
    const said = words[type] ?? otherwise;
    const tool = payload?.['tool'];
    if (typeof tool !== 'string' || !type.startsWith('approvals.action.')) return said;
    return `${waiting.find((one) => one.tool === tool)?.title ?? called(tool)} · ${said}`;
  };
}

/** `service_refund_order` is `Refund order`. */
function called(tool: string): string {
  const name = tool.replace(/^service_/, '').replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** By the title as programs call it. */
export function Happened({ of, otherwise }: { readonly of: Event; readonly otherwise?: string }): ReactNode {
  return (
    <span title={of.type}>
      <Said>{useHappened()(of, otherwise)}</Said>
    </span>
  );
}
