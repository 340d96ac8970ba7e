import { useEffect, useState, type ReactNode } from 'react';
import { useFilters } from '../../shell/go.tsx';
import styles from './money.module.css';
import { legible } from '../../data/legible.ts';

/** Milliseconds after the last letter until what was typed is asked. */
const rest = 300;

/** Filters in a row; each is in the address. */
export const FilterBar = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={styles['filters']}>{children}</div>
);

interface FilterProps {
  readonly name: string;
  readonly label: string;
  readonly otherwise?: string;
}

export function DayFilter({ name, label, otherwise = '' }: FilterProps): ReactNode {
  const [filters, set] = useFilters();
  return (
    <label className={styles['filter']}>
      <span>{label}</span>
      <input
        type="date"
        value={filters[name] ?? otherwise}
        onChange={({ target }) => set({ [name]: target.value === otherwise ? '' : target.value })}
      />
    </label>
  );
}

export function ChoiceFilter({
  name,
  label,
  of,
  otherwise = '',
}: FilterProps & { readonly of: readonly (readonly [value: string, text: string])[] }): ReactNode {
  const [filters, set] = useFilters();
  return (
    <label className={styles['filter']}>
      <span>{label}</span>
      <select
        value={filters[name] ?? otherwise}
        onChange={({ target }) => set({ [name]: target.value === otherwise ? '' : target.value })}
      >
        {of.map(([value, text]) => (
          <option key={value} value={value}>
            {legible(text)}
          </option>
        ))}
      </select>
    </label>
  );
}

export function TextFilter({ name, label }: FilterProps): ReactNode {
  const [filters, set] = useFilters();
  const [typed, setTyped] = useState(filters[name] ?? '');
  useEffect(() => {
    if (typed === (filters[name] ?? '')) return undefined;
    const timer = setTimeout(() => set({ [name]: typed.trim() }), rest);
    return () => clearTimeout(timer);
  });
  return (
    <label className={styles['filter']}>
      <span>{label}</span>
      <input type="search" value={typed} onChange={({ target }) => setTyped(target.value)} />
    </label>
  );
}
