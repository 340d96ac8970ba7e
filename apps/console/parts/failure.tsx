import type { ReactNode } from 'react';
import { Problem } from '../data/problem.ts';
import { DecideAlone } from './decide-alone.tsx';
import { Propose } from './propose.tsx';
import { Refusal, type RefusalProps } from './refusal.tsx';

/**
 * Why something is not shown or was not done, and what mends it. What one person alone may not do is left to approvers here, as it was
 * asked for, or to the only approver, where there is one and the policy lets that person decide alone.
 * @param instead in place of that: null where the page offers it already
 */
export function Failure({
  onProposed = () => undefined,
  instead,
  ...props
}: RefusalProps & {
  /** It waits for approvers: what was typed is no draft any more. */
  readonly onProposed?: (() => void) | undefined;
}): ReactNode {
  const { proposal, more } = props.error instanceof Problem ? props.error : {};
  const offered =
    instead !== undefined || proposal === undefined ? (
      instead
    ) : (
      <Propose tool={proposal.tool} asks={() => proposal.asks} onDone={onProposed} />
    );
  const only = more?.['approvers'] === 1;
  return (
    <Refusal
      {...props}
      instead={
        <>
          {only ? <DecideAlone /> : null}
          {offered}
        </>
      }
    />
  );
}
