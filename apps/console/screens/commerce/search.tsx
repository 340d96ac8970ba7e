import { useState, type ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';

/** Looks for what was typed once somebody says so: each key typed asks nothing. */
export function Search({
  value,
  label,
  onSearch,
}: {
  readonly value: string;
  readonly label?: string;
  readonly onSearch: (text: string) => void;
}): ReactNode {
  const words = useWords().commerce;
  const [text, setText] = useState(value);
  return (
    <form
      role="search"
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <input
        type="search"
        aria-label={label ?? words.findOrder}
        placeholder={label ?? words.findOrder}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '') onSearch('');
        }}
      />
      <Button type="submit">{words.find}</Button>
    </form>
  );
}
