import type { ReactNode } from 'react';
import { Tabs } from '../../parts/tabs.tsx';
import { useWords } from '../../words/language.ts';

export function SettingsTabs(): ReactNode {
  const { settings: words, shell } = useWords();
  return (
    <Tabs
      label={shell.settings}
      of={[
        ['/settings', words.members],
        ['/settings/brands', words.brands],
        ['/settings/policy', words.policy],
        ['/settings/billing', words.billing],
        ['/settings/sessions', words.sessions],
        ['/settings/data', words.data],
      ]}
    />
  );
}
