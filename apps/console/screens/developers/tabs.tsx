import type { ReactNode } from 'react';
import { useMay } from '../../data/organization.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { useWords } from '../../words/language.ts';
import { mayBuild, pagesWithin } from '../pages.ts';

export function DevelopersTabs(): ReactNode {
  const words = useWords();
  return <Tabs label={words.shell.developers} of={pagesWithin.developers(words, useMay(...mayBuild))} />;
}
