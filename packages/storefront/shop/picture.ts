import type { ProductImage } from '../client/shop-types.ts';
import { make } from '../element/dom.ts';

const svg = (tag: string, attributes: Readonly<Record<string, string>>): SVGElement => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

/**
 * The image, or where there is none a drawing by the title: the same title has the same colours and letters everywhere.
 * @param sizes how wide it is shown, as HTML says it
 * @param decorative whether the title stands beside it
 */
export function picture(
  image: ProductImage | null | undefined,
  title: string,
  sizes = '6rem',
  decorative = true,
): Element {
  if (!image) return drawing(title);
  const { url, alt, width, height } = image;
  const element = make('img', {
    part: 'image',
    src: `${url}?w=640`,
    srcset: [320, 640, 1280].map((wide) => `${url}?w=${wide} ${wide}w`).join(),
    sizes,
    alt: decorative ? '' : alt || title,
    loading: 'lazy',
    decoding: 'async',
    width: width ? String(width) : undefined,
    height: height ? String(height) : undefined,
  });
  // Gone, or not admitted by the page's policy.
  element.addEventListener('error', () => element.replaceWith(drawing(title)));
  return element;
}

function drawing(title: string): Element {
  let hash = 7;
  for (const character of title) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360_007;
  const hue = hash % 360;
  const words = title.trim().split(/\s+/);
  const letters = words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();
  const root = svg('svg', { part: 'image placeholder', viewBox: '0 0 100 100', 'aria-hidden': 'true' });
  const text = svg('text', {
    x: '50',
    y: '52',
    fill: `hsl(${hue} 30% 30%)`,
    'font-size': '22',
    'font-weight': '500',
    'letter-spacing': '1',
    'text-anchor': 'middle',
    'dominant-baseline': 'central',
  });
  text.textContent = letters;
  root.append(
    svg('rect', { width: '100', height: '100', fill: `hsl(${hue} 26% 89%)` }),
    svg('circle', {
      cx: String(15 + (hash % 70)),
      cy: String(20 + ((hash >> 3) % 60)),
      r: String(38 + (hash % 17)),
      fill: `hsl(${(hue + 25) % 360} 32% 83%)`,
    }),
    text,
  );
  return root;
}
