import { setPriority } from 'node:os';
import sharp from 'sharp';

/**
 * Reads pictures in a process of its own: decoders are native code that meets strangers' bytes, and what they take in memory and time is not
 * the server's. It is JavaScript, because the server is checked without what it loads.
 */
const widths = [320, 640, 1280];
const largest = { width: 2048, height: 4096 };
/** A picture of this many pixels takes 200 MB to decode. */
const mostPixels = 50_000_000;

setPriority(5);
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

const encoders = {
  jpeg: ['image/jpeg', (one) => one.jpeg({ quality: 85, progressive: true })],
  png: ['image/png', (one) => one.png({ compressionLevel: 9 })],
  webp: ['image/webp', (one) => one.webp({ quality: 85 })],
};
/** What others are handed out as: the first picture of an animation, and what every browser shows. */
const shownAs = { jpeg: 'jpeg', png: 'png', gif: 'png', webp: 'webp', heif: 'webp' };

/** Without what a camera wrote beside the picture, and upright. */
async function read(bytes) {
  const given = Buffer.from(bytes);
  const options = { limitInputPixels: false, failOn: 'error', animated: false };
  const { format, compression, width, height } = await sharp(given, options).metadata();
  const kind = shownAs[format];
  if (kind === undefined || (format === 'heif' && compression !== 'av1')) return { fault: 'not_a_picture' };
  if (width * height > mostPixels) return { fault: 'too_many_pixels' };
  const { data, info } = await sharp(given, { ...options, limitInputPixels: mostPixels })
    .autoOrient()
    .resize({ ...largest, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const sizes = [];
  for (const fits of widths.filter((one) => one < info.width)) {
    const content = await sharp(data, { raw }).resize({ width: fits }).webp({ quality: 80 }).toBuffer();
    sizes.push({ fits, mediaType: 'image/webp', content });
  }
  const [mediaType, encoded] = encoders[kind];
  sizes.push({ fits: largest.width, mediaType, content: await encoded(sharp(data, { raw })).toBuffer() });
  return { picture: { width: info.width, height: info.height, sizes } };
}

process.on('message', (bytes) => {
  void read(bytes)
    .catch(() => ({ fault: 'not_a_picture' }))
    .then((answer) => process.send(answer));
});
