import assert from 'node:assert/strict';
import test from 'node:test';
import { sections } from '../shell/sections.ts';
import { en } from '../words/en.ts';
import { pagesWithin } from './pages.ts';
import { screens } from './routes.ts';

/** Screens that something is done on, which a page or the search for what can be done leads to. */
const steps = [
  '/activity/verify',
  '/agents/hire',
  '/approvals/together',
  '/commerce/products/import',
  '/money/documents/new',
  '/money/entries/new',
  '/money/payments/new',
];

test('each screen without a parameter is a page that the search for pages finds, or a step that is known', () => {
  const named = new Set<string>([
    ...sections.map(({ to }) => to),
    ...Object.values(pagesWithin).flatMap((pages) => pages(en, true).map(([to]) => to)),
  ]);
  assert.deepEqual(
    screens
      .map(({ path }): string => path)
      .filter((path) => !path.includes('$') && !named.has(path))
      .toSorted(),
    steps,
  );
});
