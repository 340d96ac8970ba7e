import type { ReactNode } from 'react';
import { happened, saying, sentence } from '../data/activity.ts';
import { useToDecide } from '../data/to-decide.ts';
import { useWords } from '../words/language.ts';
import { Said } from './said.tsx';
import { useToolTitle } from './tool-title.ts';

type Event = Parameters<typeof saying>[0];

/** The tool of an action that an event is about. */
function toolOf({ type, payload }: Event): string | undefined {
  const tool = payload?.['tool'];
  return typeof tool === 'string' && type.startsWith('approvals.action.') ? tool : undefined;
}

/** What happened: a type without words, which an outside producer records, is said by its name, `Statement imported`. */
function useSaid(): (event: Event) => string {
  const words: Readonly<Record<string, string>> = useWords().events;
  return (event) => {
    const type = saying(event);
    return Object.hasOwn(words, type) ? (words[type] ?? '') : sentence(happened(event.type));
  };
}

/** Of an action also what: `Refund an order · An agent asked for it`. */
export function useHappened(): (event: Event) => string {
  const said = useSaid();
  // The navigation has asked for them: what waits knows how its tools are called.
  const titleOf = useToolTitle();
  const waiting = useToDecide().data?.items ?? [];
  return (event) => {
    const tool = toolOf(event);
    if (tool === undefined) return said(event);
    return `${titleOf(tool, waiting.find((one) => one.tool === tool)?.title)} · ${said(event)}`;
  };
}

interface HappenedProps {
  readonly of: Event;
}

/** By the title as programs call it. Of a long list, only what is about an action follows what waits. */
export const Happened = ({ of }: HappenedProps): ReactNode => (
  <span title={of.type}>{toolOf(of) === undefined ? <OfOthers of={of} /> : <OfAction of={of} />}</span>
);

const OfOthers = ({ of }: HappenedProps): ReactNode => <Said>{useSaid()(of)}</Said>;
const OfAction = ({ of }: HappenedProps): ReactNode => <Said>{useHappened()(of)}</Said>;
