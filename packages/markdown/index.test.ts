import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Content, elementsOf } from './index.ts';

/** As HTML, with marks around text, so that what is text is seen. */
const written = (one: Content): string => {
  if (typeof one === 'string') return one === '' ? '' : `‹${one}›`;
  const { tag, href, content } = one;
  return tag === 'br' ? '<br>' : `<${tag}${href ? ` ${href}` : ''}>${content.map(written).join('')}</${tag}>`;
};
const read = (text: string, above?: number): string => elementsOf(text, above).map(written).join('');

test('paragraphs, headings, lists, emphasis, code and links are read, and nothing else', () => {
  for (const [text, expected] of [
    ['', ''],
    [' \n\n \r\n', ''],
    ['One\ntwo\r\n\r\nthree', '<p>‹One\ntwo›</p><p>‹three›</p>'],
    [
      'a **b** *c* __d__ _e_ `f`',
      '<p>‹a ›<strong>‹b›</strong>‹ ›<em>‹c›</em>‹ ›<strong>‹d›</strong>‹ ›<em>‹e›</em>‹ ›<code>‹f›</code></p>',
    ],
    ['2 * 3 * 4 ** 5', '<p>‹2 * 3 * 4 ** 5›</p>'],
    ['a\\*b\\\nc', '<p>‹a›‹*›‹b›<br>‹c›</p>'],
    ['[x](https://e.example/a?b=1)', '<p><a https://e.example/a?b=1>‹x›</a></p>'],
    ['[x](javascript:alert(1)) [y](/z)', '<p>‹[x](javascript:alert(1)) [y](/z)›</p>'],
    ['<b>x</b> & "y"', '<p>‹<b>x</b> & "y"›</p>'],
    [
      'Care:\n- one\n- **two**\n  more\\\n  again\n1. first\n2) second\nEnd',
      '<p>‹Care:›</p><ul><li>‹one›</li><li><strong>‹two›</strong>‹\n  more›<br>‹  again›</li></ul><ol><li>‹first›</li><li>‹second›</li></ol><p>‹End›</p>',
    ],
    ['- one\n\n- two', '<ul><li>‹one›</li></ul><ul><li>‹two›</li></ul>'],
    ['-\n- ', '<p>‹-›</p><ul><li></li></ul>'],
    ['# One\n# \n  text\n###### Six', '<h1>‹One›</h1><h1></h1><p>‹  text›</p><h6>‹Six›</h6>'],
  ] as const)
    assert.equal(read(text), expected, text);
});

test('headings are below those of the page, and none is deeper than the sixth', () => {
  assert.equal(read('# One\n\n## Two\n\n###### Six', 2), '<h3>‹One›</h3><h4>‹Two›</h4><h6>‹Six›</h6>');
});

test('all of a long text is read, whatever it is made of', () => {
  for (const part of ['*', '[', '`', '_ ', '**a', '[a](https://', '- ', '\\', 'a\n', '- a\n b\n']) {
    const text = part.repeat(20_000);
    const letters = (one: Content): number =>
      typeof one === 'string'
        ? (one.match(/a/g)?.length ?? 0)
        : one.content.reduce<number>((sum, each) => sum + letters(each), 0);
    assert.equal(
      elementsOf(text).reduce((sum, one) => sum + letters(one), 0),
      text.match(/a/g)?.length ?? 0,
      part,
    );
  }
});
