import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { parseSync, Visitor } from 'oxc-parser';
import { getFirstConsumedChar } from 'regexp-ast-analysis';
import { analyse } from 'scslre';
import { z } from 'zod';

// Nothing from outside meets a pattern, or a built-in, whose work grows faster than the text. What a machine cannot judge
// was judged by a person and stands here with the reason; an entry that is no longer needed fails as well.

/** Literals that are super-linear by themselves. */
const harmless: Readonly<Record<string, string>> = {
  'packages/storefront/client/client.ts /\\/+$/': 'The address that the page itself gives, in a browser.',
  'packages/storefront/element/rules.ts /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/':
    'What a visitor typed, in the own browser: the server reads addresses by components/crm/identity/email.ts.',
};

/** Patterns that are put together, by their file. */
const composed: Readonly<Record<string, string>> = {
  'components/accounting/bank/files/ofx.ts': 'A tag of ours, then whatever is no < and no line end: linear.',
  'components/audit/grammars/registry.ts': 'Types of our grammars; names of up to 200 characters meet them.',
  'components/audit/grammars/reserved.ts': 'Types of our grammars; names of up to 200 characters meet them.',
  'components/verification/rows/quick-copies.ts':
    'Sticky, and each part ends at a quote that it cannot hold: no way back.',
  'components/studio/forms/check.ts': 'A rule of a form is only compiled on the server: nothing meets it there.',
  'packages/kernel/host/methods.ts': 'Addresses of ours with [^/]+ between slashes: one way to read each.',
  'packages/kernel/mentioning.ts': 'An escaped text between looks of fixed length around it.',
  'packages/storefront/element/rules.ts': 'In the browser of whoever fills in the form.',
};

/** Where texts are normalized without `normalized`, whose work grows with the text. */
const normalizing: Readonly<Record<string, string>> = {
  'packages/kernel/normalized.ts': 'Is what cuts long runs of marks.',
  'packages/storefront/element/field.ts': 'What a visitor typed, in the own browser.',
};

interface Found {
  /** `file /pattern/`. */
  readonly slow: Set<string>;
  readonly composed: Set<string>;
  readonly normalizing: Set<string>;
  literals: number;
}

/** Why a pattern is super-linear, in one word; undefined where it is not. */
function slowness(source: string, flags: string): string | undefined {
  const parser = new RegExpParser();
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const ast = { pattern, flags: parser.parseFlags(flags) };
  return analyse(ast, { maxReports: 1 }).reports[0]?.type ?? branching(pattern, ast.flags);
}

/** What scslre does not look at: ways of an endless repetition that begin with the same character. */
function branching(pattern: AST.Pattern, flags: AST.Flags): string | undefined {
  let found: string | undefined;
  visitRegExpAST(pattern, {
    onGroupEnter: ({ alternatives, parent }) => {
      if (parent.type !== 'Quantifier' || parent.max !== Infinity) return;
      const firsts = alternatives.map((one) => getFirstConsumedChar(one, 'ltr', flags).char);
      const shared = firsts.some((char, at) => firsts.slice(at + 1).some((other) => !char.isDisjointWith(other)));
      if (shared) found = 'Branches';
    },
  });
  return found;
}

function look(root: string): Found {
  const found: Found = { slow: new Set(), composed: new Set(), normalizing: new Set(), literals: 0 };
  for (const file of globSync('{apps,components,packages}/**/*.{ts,js}', {
    cwd: root,
    exclude: (path) => /node_modules|\/dist$|\/fixtures$|\.test\.ts$|\.d\.ts$/.test(path),
  })) {
    const note = (pattern: string, flags: string): void => {
      found.literals += 1;
      if (slowness(pattern, flags) !== undefined) found.slow.add(`${file} /${pattern}/`);
    };
    const compose = (callee: { readonly type: string }): void => {
      if (callee.type === 'Identifier' && 'name' in callee && callee.name === 'RegExp') found.composed.add(file);
    };
    const { program, errors } = parseSync(file, readFileSync(join(root, file), 'utf8'));
    assert.deepEqual(errors, [], file);
    new Visitor({
      Literal: (node) => {
        if ('regex' in node) note(node.regex.pattern, node.regex.flags);
      },
      // Of a JSON Schema, whose patterns are compiled with the flag u.
      Property: ({ key, value }) => {
        const isPattern = key.type === 'Identifier' && key.name === 'pattern';
        if (isPattern && value.type === 'Literal' && typeof value.value === 'string') note(value.value, 'u');
      },
      NewExpression: ({ callee }) => compose(callee),
      CallExpression: ({ callee }) => {
        compose(callee);
        const method = callee.type === 'MemberExpression' && !callee.computed ? callee.property : undefined;
        if (method?.type === 'Identifier' && method.name === 'normalize') found.normalizing.add(file);
      },
    }).visit(program);
  }
  return found;
}

describe('text from outside meets nothing that is super-linear', () => {
  const found = look(import.meta.dirname);

  test('no regular expression of the product is, but for the reviewed ones', () => {
    assert.ok(found.literals > 200, `${found.literals} literals were seen`);
    assert.deepEqual([...found.slow].toSorted(), Object.keys(harmless).toSorted());
  });

  test('each pattern that is put together was reviewed', () => {
    assert.deepEqual([...found.composed].toSorted(), Object.keys(composed).toSorted());
  });

  test('texts are normalized by what cuts long runs of combining marks', () => {
    assert.deepEqual([...found.normalizing].toSorted(), Object.keys(normalizing).toSorted());
  });

  test('nor is a pattern that zod brings along', () => {
    const brought = Object.entries(z.regexes).filter((entry): entry is [string, RegExp] => entry[1] instanceof RegExp);
    assert.ok(brought.length > 20, `${brought.length} patterns were seen`);
    assert.deepEqual(
      brought.flatMap(([name, { source, flags }]) => (slowness(source, flags) === undefined ? [] : [name])),
      [],
    );
  });

  test('the analysis finds those that once stopped the process, and their like', () => {
    for (const [pattern, flags] of [
      ['0+$', ''],
      ['^[\\s\\u200B\\u2060\\uFEFF]+|[\\s\\u200B\\u2060\\uFEFF]+$', 'g'],
      ['^-?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,3})?$', ''],
      ['[eE].*$', ''],
      ['^(a+)+$', ''],
      ['^(?:a|a)*$', 'u'],
      ['^[\\p{L}--[a-z]]*\\p{L}*$', 'v'],
    ] as const)
      assert.notEqual(slowness(pattern, flags), undefined, pattern);
    for (const pattern of ['^0+', '^[a-z]+\\.[a-z]+$', '\\s+', '^\\d+(?:\\.\\d*)?$'])
      assert.equal(slowness(pattern, ''), undefined, pattern);
  });
});
