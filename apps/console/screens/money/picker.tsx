import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useWords } from '../../words/language.ts';
import styles from './bank.module.css';

export interface Picked {
  readonly id: string;
  /** What is searched, and heard. */
  readonly text: string;
  readonly shown: ReactNode;
}

/** So many fit beside the line. */
const most = 8;

/** Something of a list, by a part of its text: ↑ ↓ move, Enter takes it, Escape goes back. */
export function Picker({
  label,
  of,
  onPick,
  onClose,
  onAll,
}: {
  readonly label: string;
  readonly of: readonly Picked[];
  readonly onPick: (id: string) => void;
  readonly onClose: () => void;
  /** Ctrl or ⌘ with Enter. */
  readonly onAll?: () => void;
}): ReactNode {
  const words = useWords().money.bankWords;
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const parts = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = of.filter(({ text }) => parts.every((part) => text.toLowerCase().includes(part))).slice(0, most);
  const current = found[Math.min(at, found.length - 1)];
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onAll?.();
    else if (event.key === 'Enter') {
      event.preventDefault();
      if (current === undefined) return;
      onPick(current.id);
      // What is added to others begins anew; what may be refused is kept.
      if (onAll === undefined) return;
      setTyped('');
      setAt(0);
    } else return;
    event.preventDefault();
  };
  return (
    <div className={styles['picker']}>
      <label htmlFor={`${id}i`}>{label}</label>
      <input
        id={`${id}i`}
        type="search"
        className={styles['search']}
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}l`}
        aria-activedescendant={current === undefined ? undefined : `${id}${current.id}`}
        autoFocus
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      {found.length === 0 ? <p className={styles['soft']}>{words.nothingFound}</p> : null}
      <ul id={`${id}l`} role="listbox" aria-label={label} className={styles['options']}>
        {found.map((one) => (
          <li
            key={one.id}
            id={`${id}${one.id}`}
            role="option"
            aria-selected={one === current}
            className={styles['option']}
            onClick={() => onPick(one.id)}
          >
            {one.shown}
          </li>
        ))}
      </ul>
    </div>
  );
}
