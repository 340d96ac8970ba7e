import type { ReactNode } from 'react';
import { legible } from '../data/legible.ts';
import styles from './agent-named.module.css';
import { Said } from './said.tsx';

interface AgentNamedProps {
  readonly id: string;
  /** What it calls itself, if that is known. */
  readonly name: string | undefined;
}

/** An agent: `Cursor (V1StGXR8)`. It chose its name, and anybody may choose the same one; nobody chose its id, which always stands there. */
export function AgentNamed({ id, name }: AgentNamedProps): ReactNode {
  if (name === undefined || name === id) return <Said>{id}</Said>;
  return (
    <>
      <span className={styles['name']} title={legible(name)}>
        <Said>{name.replaceAll(/\s+/g, ' ')}</Said>
      </span>{' '}
      (<Said>{id}</Said>)
    </>
  );
}
