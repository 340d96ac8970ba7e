import type { ReactNode } from 'react';
import { happened, saying, sentence } from '../data/activity.ts';
import { useToDecide } from '../data/to-decide.ts';
import { useWords } from '../words/language.ts';
import { Said } from './said.tsx';

type Event = Parameters<typeof saying>[0];

/** What happened, and of an action what: `Refund an order · An agent asked for it`. A type without words is said by its name: `Statement imported`. */
export function useHappened(): (event: Event) => string {
  const words: Readonly<Record<string, string>> = useWords().parts.eventTypes;
  // The navigation has asked for them: what waits knows how its tools are called.
  const waiting = useToDecide().data?.items ?? [];
  return (event) => {
    const { type, payload } = event;
    const said = words[saying(event)] ?? sentence(happened(type));
    const tool = payload?.['tool'];
    if (typeof tool !== 'string' || !type.startsWith('approvals.action.')) return said;
    return `${waiting.find((one) => one.tool === tool)?.title ?? called(tool)} · ${said}`;
  };
}

/** `service_refund_order` is `Refund order`. */
const called = (tool: string): string => sentence(tool.replace(/^service_/, ''));

/** By the title as programs call it. */
export function Happened({ of }: { readonly of: Event }): ReactNode {
  return (
    <span title={of.type}>
      <Said>{useHappened()(of)}</Said>
    </span>
  );
}
