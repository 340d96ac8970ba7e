import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** What is typed and needs no draft: it is in the address, looks something up, chooses what is seen, or goes with a file or a secret that no tab may keep. */
const spared: Readonly<Record<string, readonly string[]>> = {
  'screens/activity/activity.tsx': ['text'],
  'screens/activity/one.tsx': ['chosen'],
  'screens/activity/verifying.tsx': ['text'],
  'screens/commerce/product-import.tsx': ['brand'],
  'screens/commerce/search.tsx': ['text'],
  'screens/developers/developers.tsx': ['chosen'],
  'screens/forms/on-page.tsx': ['key'],
  'screens/money/bank-import.tsx': ['into'],
  'screens/money/filters.tsx': ['typed'],
  'screens/money/party-field.tsx': ['typed'],
  'screens/money/picker.tsx': ['typed'],
  'screens/people/merge.tsx': ['q'],
  'shell/account.tsx': ['theme'],
  'shell/palette.tsx': ['text'],
};

test('what somebody types is a draft, and not a state that a login or a deployment ends', () => {
  const app = join(import.meta.dirname, '..');
  const ended: string[] = [];
  const met = new Set<string>();
  for (const file of globSync('{screens,shell}/**/*.tsx', { cwd: app })) {
    const text = readFileSync(join(app, file), 'utf8');
    const typed = new Set(
      [
        ...text.matchAll(/on(?:Change|Input|Search)=\{(set\w+)\}/g),
        ...text.matchAll(/\b(set\w+)\([^\n]*target\.value/g),
      ].map(([, set]) => set),
    );
    for (const [, name = '', set = ''] of text.matchAll(/const \[(\w+), (set\w+)\] = useState/g)) {
      if (!typed.has(set)) continue;
      if (spared[file]?.includes(name) === true) met.add(`${file} ${name}`);
      else ended.push(`${file} ${name}`);
    }
  }
  assert.deepEqual(ended, []);
  const all = Object.entries(spared).flatMap(([file, names]) => names.map((name) => `${file} ${name}`));
  assert.deepEqual(
    all.filter((one) => !met.has(one)),
    [],
  );
});
