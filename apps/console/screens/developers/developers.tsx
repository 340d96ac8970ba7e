import type { ReactNode } from 'react';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/language.ts';

export default function Developers(): ReactNode {
  const words = useWords().shell;
  return <Page title={words.developers}>{null}</Page>;
}
