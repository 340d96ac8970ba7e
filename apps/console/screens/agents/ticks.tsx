import type { ReactNode } from 'react';
import { Check } from '../../parts/form.tsx';
import { useWords } from '../../words/language.ts';
import styles from './agents.module.css';

interface TicksProps<Name extends string> {
  readonly title: string;
  /** Each is the field `pillar crm` of its form. */
  readonly kind: string;
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
  readonly ticked: (name: Name) => boolean;
}

/** What is granted of a list: at least one, for a grant of nothing is to shut out. */
export function Ticks<Name extends string>({ title, kind, names, labels, ticked }: TicksProps<Name>): ReactNode {
  const words = useWords().agents;
  const judge = (set: HTMLFieldSetElement): void => {
    const boxes = [...set.querySelectorAll('input')];
    boxes[0]?.setCustomValidity(boxes.some(({ checked }) => checked) ? '' : words.tickOne);
  };
  return (
    <fieldset
      ref={(set) => {
        if (set !== null) judge(set);
      }}
      onChange={({ currentTarget }) => judge(currentTarget)}
      className={styles['fields']}
    >
      <legend>{title}</legend>
      {names.map((name) => (
        <Check key={name} name={`${kind} ${name}`} label={labels[name]} value={ticked(name)} />
      ))}
    </fieldset>
  );
}

/** Those that were ticked. */
export const tickedIn = <Name extends string>(form: FormData, kind: string, names: readonly Name[]): readonly Name[] =>
  names.filter((name) => form.has(`${kind} ${name}`));
