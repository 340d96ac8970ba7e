import { useEffect, useRef, type ReactNode } from 'react';
import { Go, type To } from '../shell/go.tsx';
import styles from './tabs.module.css';

/** Pages that belong together, each at its own address; one that has pages below it is theirs too. */
export function Tabs({
  label,
  of,
}: {
  readonly label: string;
  readonly of: readonly (readonly [to: To, name: string, has?: 'pages'])[];
}): ReactNode {
  const tabs = useRef<HTMLElement>(null);
  // On a phone not all of them are in sight.
  useEffect(() => {
    const current = tabs.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (current != null && tabs.current !== null)
      tabs.current.scrollLeft =
        current.offsetLeft - tabs.current.offsetLeft - (tabs.current.clientWidth - current.offsetWidth) / 2;
  });
  return (
    <nav ref={tabs} aria-label={label} className={styles['tabs']}>
      {of.map(([to, name, has]) => (
        <Go key={to} to={to} exact={has === undefined} className={styles['tab']}>
          {name}
        </Go>
      ))}
    </nav>
  );
}

/** One of a few, such as a filter: pressed is what applies. */
export function Choice<Value extends string>({
  label,
  of,
  value,
  onChange,
  names = false,
}: {
  readonly label: string;
  readonly of: readonly (readonly [value: Value, name: string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** They are names, which stay as they are written. */
  readonly names?: boolean;
}): ReactNode {
  return (
    <div role="group" aria-label={label} className={styles['choice']}>
      {of.map(([one, name]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          <span className={names ? undefined : styles['begins']}>{name}</span>
        </button>
      ))}
    </div>
  );
}
