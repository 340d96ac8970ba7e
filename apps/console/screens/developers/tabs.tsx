import type { ReactNode } from 'react';
import { useMay } from '../../data/organization.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { useWords } from '../../words/language.ts';

export function DevelopersTabs(): ReactNode {
  const { developers: words, shell } = useWords();
  const builds = useMay('owner', 'admin', 'developer');
  return (
    <Tabs
      label={shell.developers}
      of={[
        ['/developers', words.connect],
        ['/developers/keys', words.keys],
        ...(builds ? ([['/developers/webhooks', words.webhooks]] as const) : []),
        ['/developers/errors', words.errors],
      ]}
    />
  );
}
