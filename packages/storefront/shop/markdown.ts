import { type Element, elementsOf } from '@steward/markdown';
import { make } from '../element/dom.ts';

/** A text in Markdown as nodes: nothing in it becomes markup. @param level of the first heading */
export const markdown = (text: string, level: number): Node[] => elementsOf(text, level).map(drawn);

const drawn = ({ tag, href, content }: Element): HTMLElement =>
  make(
    tag,
    { href, rel: href && 'nofollow noopener' },
    ...content.map((one) => (typeof one === 'string' ? one : drawn(one))),
  );
