// Before all other styles: it orders the layers.
import './tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { hearActs } from './data/acts.ts';
import { createQueries } from './data/queries.ts';
import { hearKeys } from './shell/keys.ts';
import { createRoutes } from './shell/router.tsx';
import { applyTheme, chosenTheme } from './shell/theme.ts';
import { loadWords } from './words/language.ts';

/** Who it is, what is said, and the screen of the address are asked for at once: none waits for another. */
async function begin(): Promise<void> {
  const element = document.querySelector('#root');
  if (element === null) throw new Error('the page has no #root');
  const queries = createQueries();
  const router = createRoutes(queries);
  // The shell and its screen appear in one moment, so that what they read is one request (data/together.ts).
  await Promise.all([loadWords(), router.load()]);
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

applyTheme(chosenTheme());
hearKeys();
hearActs();
void begin();
