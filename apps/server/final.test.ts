import assert from 'node:assert/strict';
import { test } from 'node:test';
import { components } from './components.ts';

/** In the words of descriptions. */
const saysSo = /\bfor good(?:[.,:]| \. |$)|cannot be undone/;

test('a tool that says that it is for good is final, so that whoever approves it is told', () => {
  const tools = components.flatMap(({ tools: own = [] }) => own).filter(({ tier }) => tier !== 'read');
  assert.ok(tools.length > 150, `only ${tools.length} tools`);
  const said = tools.filter(({ description }) => saysSo.test(description));
  assert.ok(said.length > 10, `only ${said.length} say so`);
  assert.deepEqual(
    said.filter(({ final }) => final !== true).map(({ name }) => name),
    [],
  );
});
