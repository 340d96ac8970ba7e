import { type Element, elementsOf } from '@steward/markdown';
import { make } from '../element/dom.ts';

/** A text in Markdown as nodes: nothing in it becomes markup. @param above levels of headings that the page has above it */
export const markdown = (text: string, above: number): Node[] => elementsOf(text, above).map(drawn);

const drawn = ({ tag, href, content }: Element): HTMLElement =>
  make(
    tag,
    { href, rel: href && 'nofollow noopener' },
    ...content.map((one) => (typeof one === 'string' ? one : drawn(one))),
  );
