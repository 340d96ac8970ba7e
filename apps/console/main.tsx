// Before all other styles: it orders the layers.
import './tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueries } from './data/queries.ts';
import { hearKeys } from './shell/keys.ts';
import { createRoutes } from './shell/router.tsx';
import { applyTheme, chosenTheme } from './shell/theme.ts';
import { loadWords } from './words/language.ts';

applyTheme(chosenTheme());
hearKeys();
await loadWords();
const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueries()}>
      <RouterProvider router={createRoutes()} />
    </QueryClientProvider>
  </StrictMode>,
);
