import type { ReactNode } from 'react';
import { Tabs } from '../../parts/tabs.tsx';
import { useWords } from '../../words/language.ts';
import { pagesWithin } from '../pages.ts';

export function SettingsTabs(): ReactNode {
  const words = useWords();
  return <Tabs label={words.shell.settings} of={pagesWithin.settings(words)} />;
}
