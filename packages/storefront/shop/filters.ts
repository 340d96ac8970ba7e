import type { Facet } from '../client/shop-types.ts';
import { make } from '../element/dom.ts';
import { button, type Key } from './base.ts';
import type { Words } from './words.ts';

/** By member of a query; what is not there is as the page says. */
export type Chosen = Readonly<Record<string, readonly string[]>>;

/** What a visitor narrows a list by. */
export interface Filters {
  readonly root: HTMLDetailsElement;
  /** Check boxes stay where they are, so that a press meets what was seen; their counts change, and others come after them. */
  tell(facets: readonly Facet[], chosen: Chosen): void;
}

interface Box {
  readonly member: string;
  readonly input: HTMLInputElement;
  readonly root: HTMLElement;
  readonly count: HTMLElement;
}

/** @param titles of facets, by their names; without, they are called as the catalogue or the option says */
export function filters(
  words: Words,
  titles: Readonly<Record<string, string | undefined>>,
  choose: (chosen: Chosen) => void,
): Filters {
  const groups = new Map<string, HTMLElement>();
  const boxes = new Map<string, Box>();
  const list = make('div');
  const title = make('summary', { id: 'facets' });
  const clear = button('button secondary', 'clear', words.clear, () => {
    // It hides.
    title.focus();
    choose({});
  });
  const root = make('details', { part: 'facets' }, title, list, clear);

  const read = (): Chosen => {
    const chosen: Record<string, string[]> = {};
    for (const { member, input } of boxes.values()) {
      const values = (chosen[member] ??= []);
      if (input.checked) values.push(input.value);
    }
    return chosen;
  };
  const group = (name: string, own: string | undefined): HTMLElement => {
    const chips = make('div', { part: 'chips' });
    const legend = make('legend', { part: 'label' }, titles[name] ?? own ?? words[name as Key]);
    list.append(make('fieldset', { part: 'option facet' }, legend, chips));
    groups.set(name, chips);
    return chips;
  };
  const boxOf = (id: string, member: string, value: string, label: string): Box => {
    const input = make('input', { type: 'checkbox', id, value, part: 'radio' });
    input.addEventListener('change', () => choose(read()));
    const count = make('span', { part: 'fine' });
    const box = { member, input, root: make('label', {}, input, make('span', {}, label, count)), count };
    boxes.set(id, box);
    return box;
  };

  return {
    root,
    tell: (facets, chosen) => {
      const counts = new Map<Box, string>();
      for (const { name, values, exact } of facets) {
        const [member = '', own] = name.split(/:(.*)/s);
        for (const { value, label, count, chosen: told } of values) {
          const yes = member === 'available';
          if (yes && value === 'false') continue;
          const id = encodeURIComponent(name + value);
          const box = boxes.get(id) ?? boxOf(id, member, value, yes ? words.inStock : label);
          if (!box.root.parentNode) (groups.get(name) ?? group(name, own)).append(box.root);
          box.input.checked = chosen[member]?.includes(value) ?? told;
          counts.set(box, count + (exact ? '' : '+'));
        }
      }
      for (const box of boxes.values()) {
        const count = counts.get(box) ?? '0';
        box.count.textContent = ` (${count})`;
        box.root.setAttribute('part', count === '0' ? 'chip none' : 'chip');
        if (!counts.has(box)) box.input.checked = false;
      }
      const narrowed = Object.values(chosen).flat().length;
      title.textContent = narrowed ? `${words.filter} (${narrowed})` : words.filter;
      clear.hidden = !narrowed;
      root.hidden = !boxes.size;
    },
  };
}
