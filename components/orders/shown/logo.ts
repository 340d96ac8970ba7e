import { html, type Html } from '@steward/kernel';
import type { Logo } from './shown.ts';

/** Half of what a logo may have, so that it is sharp where a point is two pixels. */
const largest = { width: 240, height: 80 };

/** A picture that takes its place before it is there. @param styled attributes that say how it looks */
export function logoImage(
  { width, height }: Logo,
  { src, alt, styled }: { readonly src: string; readonly alt: string; readonly styled: Html },
): Html {
  const scale = Math.min(1, largest.width / width, largest.height / height);
  const [wide, high] = [width, height].map((one) => Math.max(1, Math.round(one * scale)));
  return html`<img src="${src}" alt="${alt}" width="${String(wide)}" height="${String(high)}" ${styled} />`;
}
