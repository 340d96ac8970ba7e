import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Money } from '../parts/money.tsx';
import { Day } from '../parts/moment.tsx';
import { Said } from '../parts/said.tsx';
import { useMay } from '../data/organization.ts';
import { mayBuild, pagesWithin } from '../screens/pages.ts';
import { loadArea, useWords } from '../words/language.ts';
import { useVerbs, type Command } from './commands.ts';
import { longestQuery, placeOf, useFound, type Found, type Kind } from './found.ts';
import { useGo } from './go.tsx';
import styles from './palette.module.css';
import type { SectionOfPages } from './sections.ts';

const areas = ['money', 'commerce', 'selling', 'developers', 'settings'] as const;

/** ⌘K: records that what was typed names, pages, things to do, and other records that have it somewhere. */
export default function Palette({
  pages,
  onClose,
}: {
  readonly pages: readonly SectionOfPages[];
  readonly onClose: () => void;
}): ReactNode {
  const language = useWords();
  const { shell: words } = language;
  const builds = useMay(...mayBuild);
  const go = useGo();
  const verbs = useVerbs();
  const list = useId();
  const chosen = useRef<HTMLLIElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  // What pages are called is loaded with their sections: nobody waits for that to type.
  const [known, setKnown] = useState(false);
  useEffect(() => {
    let here = true;
    const heard = (): void => setKnown(here);
    Promise.all(areas.map(loadArea)).then(heard, () => undefined);
    return () => void (here = false);
  }, []);
  const { found: records, looking } = useFound(text);
  const matches = ({ label }: Command): boolean => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
  const listed = records.map((one) => ({
    exact: one.rank === 'exact',
    command: commandOf(one, words.kinds[one.kind]),
  }));
  const named = listed.flatMap(({ exact, command }) => (exact ? [command] : []));
  const sections: readonly Command[] = pages.map(({ name, to }) => ({ id: name, label: words[name], to }));
  const within = pages.flatMap(({ name }): readonly Command[] =>
    known && name in pagesWithin
      ? pagesWithin[name as keyof typeof pagesWithin](language, builds).map(([to, page]) => ({
          id: to,
          label: `${words[name]} · ${page}`,
          to,
        }))
      : [],
  );
  const found: readonly (readonly [name: string, commands: readonly Command[]])[] = [
    [words.records, named],
    [words.pages, [...sections, ...(text.trim() === '' ? [] : within)].filter(matches)],
    [words.verbs, verbs.filter(matches)],
    [
      named.length === 0 ? words.records : words.moreRecords,
      listed.flatMap(({ exact, command }) => (exact ? [] : [command])),
    ],
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
        maxLength={longestQuery}
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
                    {command.shown ?? <span>{command.label}</span>}
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ul>
      <p className={styles['hint']} role="status">
        {all.length > 0 ? '' : looking ? words.looking : words.nothingFound}
      </p>
    </Dialog>
  );
}

const commandOf = (found: Found & { readonly kind: Kind }, kind: string): Command => ({
  id: `${found.kind} ${found.id}`,
  label: found.title,
  to: placeOf(found),
  shown: (
    <>
      <span className={styles['record']}>
        <Said>{found.title}</Said>
        <span className={styles['hint']}>
          {kind}
          {found.line === null ? null : (
            <>
              {' · '}
              <Said>{found.line}</Said>
            </>
          )}
        </span>
      </span>
      <span className={styles['facts']}>
        <Money of={found.amount} />
        <span className={styles['hint']}>
          <Day on={found.day} />
        </span>
      </span>
    </>
  ),
});
