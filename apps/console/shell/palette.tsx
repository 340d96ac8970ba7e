import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useTenant } from '../data/organization.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useWords } from '../words/language.ts';
import { everyFinder, useVerbs, type Command } from './commands.ts';
import { useGo } from './go.tsx';
import styles from './palette.module.css';
import type { SectionOfPages } from './sections.ts';

/** Milliseconds after the last key before records are asked for. */
const rest = 150;

/** ⌘K: pages, things to do, records. */
export default function Palette({
  pages,
  onClose,
}: {
  readonly pages: readonly SectionOfPages[];
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().shell;
  const go = useGo();
  const verbs = useVerbs();
  const list = useId();
  const chosen = useRef<HTMLLIElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const records = useFound(text);
  const matches = ({ label }: Command): boolean => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
  const found: readonly (readonly [name: string, commands: readonly Command[]])[] = [
    [words.records, records],
    [words.pages, pages.map(({ name, to }) => ({ id: name, label: words[name], to })).filter(matches)],
    [words.verbs, verbs.filter(matches)],
  ];
  const groups = found.filter(([, commands]) => commands.length > 0);
  const all: readonly Command[] = groups.flatMap(([, commands]) => commands);
  const present = Math.min(at, all.length - 1);
  useEffect(() => {
    // Browsers answer a promise, which is nothing to clean up by.
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [present]);
  const run = ({ to, act }: Command): void => {
    onClose();
    act?.();
    if (to !== undefined) go(to);
  };
  const step = (by: number): void => setAt((present + by + all.length) % Math.max(1, all.length));
  return (
    <Dialog title={words.search} onClose={onClose}>
      <input
        className={styles['input']}
        role="combobox"
        aria-label={words.searchHint}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={all.length === 0 ? undefined : `${list}-${present}`}
        placeholder={words.searchHint}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const command = all[present];
          if (event.key === 'ArrowDown') step(1);
          else if (event.key === 'ArrowUp') step(-1);
          else if (event.key === 'Enter' && command !== undefined) run(command);
          else return;
          event.preventDefault();
        }}
      />
      <ul id={list} role="listbox" aria-label={words.search} className={styles['list']}>
        {groups.map(([name, commands]) => (
          <li key={name} role="presentation">
            <p className={styles['group']} role="presentation">
              {name}
            </p>
            <ul role="group" aria-label={name}>
              {commands.map((command) => {
                const place = all.indexOf(command);
                return (
                  <li
                    key={command.id}
                    id={`${list}-${place}`}
                    ref={place === present ? chosen : undefined}
                    role="option"
                    aria-selected={place === present}
                    className={styles['option']}
                    onMouseMove={() => setAt(place)}
                    onClick={() => run(command)}
                  >
                    <span>{command.label}</span>
                    {command.hint === undefined ? null : <span className={styles['hint']}>{command.hint}</span>}
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ul>
      {all.length === 0 ? <p className={styles['hint']}>{words.nothingFound}</p> : null}
    </Dialog>
  );
}

function useFound(text: string): readonly Command[] {
  const tenant = useTenant();
  const [found, setFound] = useState<readonly Command[]>([]);
  const asked = text.trim();
  useEffect(() => {
    if (asked.length < 2) {
      setFound([]);
      return undefined;
    }
    const ending = new AbortController();
    const look = async (): Promise<void> => {
      // One search that is refused or fails does not take the others with it.
      const answers = await Promise.allSettled(
        everyFinder().map(async ({ find }) => find(asked, tenant, ending.signal)),
      );
      if (ending.signal.aborted) return;
      setFound(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])));
    };
    const timer = setTimeout(() => void look(), rest);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [asked, tenant]);
  return found;
}
