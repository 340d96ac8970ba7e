import type { Picture } from '../media/pictures.ts';

/** What letters and pages have room for, in pixels. */
export const largest = { width: 480, height: 160 };
/** Bytes of a logo at most, as it comes: letters load it again and again. */
export const mostBytes = 262_144;
export const logoTypes = ['image/png', 'image/jpeg'] as const;
export const wanted = `a PNG or JPEG of at most ${largest.width} × ${largest.height} pixels and ${mostBytes / 1024} kB`;

/** A picture as programs that show letters can read it: what it was encoded in, and no other size. Undefined: it cannot be a logo. */
export function fitting({ width, height, sizes }: Picture, bytes: number): Picture | undefined {
  const whole = sizes.at(-1);
  if (whole === undefined || !logoTypes.some((one) => one === whole.mediaType)) return undefined;
  if (bytes > mostBytes || width > largest.width || height > largest.height) return undefined;
  return { width, height, sizes: [whole] };
}
