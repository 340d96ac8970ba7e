import sharp from 'sharp';
import type { Chances } from './random.ts';
import type { Good, Palette, Shape } from './goods.ts';

const wide = 900;

/** A flat picture of a product on a table. */
export async function drawn({ drawing: { shape, pattern, palette } }: Good, chances: Chances): Promise<Buffer> {
  const { body, more = '', shadow = 250 } = outlines[shape](palette);
  const turned = chances.whole(-6, 6);
  const moon = `<circle cx="${450 + turned * 22}" cy="${330 + turned * 6}" r="300" fill="#fff" opacity=".42"/>`;
  const table =
    shape === 'bag'
      ? `<rect y="690" width="900" height="210" fill="#fff" opacity=".38"/>`
      : `<rect y="690" width="900" height="210" fill="${palette.table}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${wide}" viewBox="0 0 900 900">
    <defs>
      <linearGradient id="light" x1="0" x2="1"><stop offset="0" stop-color="#fff" stop-opacity=".34"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/>
        <stop offset="1" stop-color="#000" stop-opacity=".22"/></linearGradient>
      <clipPath id="body"><path d="${body}"/></clipPath>
    </defs>
    <rect width="900" height="900" fill="${palette.ground}"/>${moon}${table}
    <ellipse cx="470" cy="738" rx="${shadow}" ry="30" fill="#000" opacity=".16"/>
    ${more}
    <path d="${body}" fill="${palette.body}"/>
    <g clip-path="url(#body)">${shape === 'bag' ? label(palette, chances) : decoration(pattern, palette, chances)}<rect width="900" height="900" fill="url(#light)"/></g>
    ${shape === 'bag' ? '' : rims[shape](palette)}
  </svg>`;
  return sharp(Buffer.from(svg)).png({ compressionLevel: 4 }).toBuffer();
}

interface Outline {
  /** Of the piece, on a table at y = 740. */
  readonly body: string;
  /** Behind it: handles and saucers. */
  readonly more?: string;
  readonly shadow?: number;
}

const handle = (d: string, { glaze }: Palette, thick = 34): string =>
  `<path d="${d}" fill="none" stroke="${glaze}" stroke-width="${thick}" stroke-linecap="round"/>`;

const outlines: Readonly<Record<Shape, (palette: Palette) => Outline>> = {
  mug: (palette) => ({
    body: 'M290 380 L610 380 Q614 620 578 716 Q566 740 536 740 L364 740 Q334 740 322 716 Q286 620 290 380Z',
    more: handle('M600 450 C740 430 740 640 590 640', palette),
    shadow: 220,
  }),
  espresso: (palette) => ({
    body: 'M335 500 L565 500 Q566 650 530 708 Q520 724 496 724 L404 724 Q380 724 370 708 Q334 650 335 500Z',
    more: `${handle('M556 545 C650 535 650 650 546 655', palette, 24)}<ellipse cx="450" cy="724" rx="220" ry="26" fill="${palette.detail}"/>
      <ellipse cx="450" cy="716" rx="220" ry="24" fill="${palette.glaze}"/>`,
  }),
  bowl: () => ({
    body: 'M200 480 L700 480 Q690 640 560 712 L560 740 L340 740 L340 712 Q210 640 200 480Z',
    shadow: 230,
  }),
  plate: ({ detail }) => ({
    body: 'M450 160 A285 285 0 1 1 449 160Z',
    more: `<path d="M330 700 L300 770 M570 700 L600 770" stroke="${detail}" stroke-width="18" stroke-linecap="round"/>`,
    shadow: 200,
  }),
  vase: () => ({
    body: 'M405 250 L495 250 Q490 330 520 380 Q610 470 600 590 Q590 700 530 740 L370 740 Q310 700 300 590 Q290 470 380 380 Q410 330 405 250Z',
    more: '<path d="M450 260 C430 180 400 150 360 110 M450 260 C455 170 470 130 500 80 M450 260 C480 200 530 180 570 165" stroke="#5d7052" stroke-width="9" fill="none"/><g fill="#7f9470"><ellipse cx="352" cy="104" rx="34" ry="17" transform="rotate(40 352 104)"/><ellipse cx="506" cy="72" rx="36" ry="17" transform="rotate(-62 506 72)"/><ellipse cx="584" cy="160" rx="34" ry="16" transform="rotate(-14 584 160)"/><ellipse cx="410" cy="170" rx="28" ry="13" transform="rotate(28 410 170)"/></g>',
    shadow: 200,
  }),
  teapot: (palette) => ({
    body: 'M300 470 Q300 400 450 396 Q600 400 600 470 Q660 600 570 710 Q560 740 530 740 L370 740 Q340 740 330 710 Q240 600 300 470Z',
    more: `${handle('M610 480 C770 440 780 680 600 670', palette, 30)}<path d="M310 640 Q180 600 150 450 L205 440 Q240 520 330 540Z" fill="${palette.glaze}"/>`,
  }),
  pitcher: (palette) => ({
    body: 'M350 260 L560 290 Q540 380 590 480 Q640 640 570 740 L330 740 Q260 640 310 480 Q360 380 300 270Z',
    more: handle('M560 350 C740 320 740 600 600 620', palette, 32),
    shadow: 220,
  }),
  planter: ({ detail }) => ({
    body: 'M290 450 L610 450 L570 720 L330 720Z',
    more: `<g fill="#6f8f62"><path d="M450 460 C380 380 330 330 250 320 C270 400 340 450 450 460Z"/><path d="M450 460 C430 330 440 250 470 170 C520 260 510 360 450 460Z"/><path d="M450 460 C520 390 570 330 660 330 C640 410 560 455 450 460Z"/></g><g fill="#577a4d"><path d="M450 460 C370 350 360 290 350 230 C420 280 450 360 450 460Z"/><path d="M450 460 C500 340 540 280 590 240 C590 330 530 410 450 460Z"/></g><path d="M290 716 L610 716 L590 748 L310 748Z" fill="${detail}"/>`,
    shadow: 220,
  }),
  dripper: (palette) => ({
    body: 'M250 400 L650 400 L530 620 L370 620Z',
    more: `${handle('M610 440 C720 430 720 560 560 570', palette, 26)}<path d="M300 620 L600 620 L600 650 L300 650Z" fill="${palette.detail}"/><path d="M350 650 L550 650 L535 740 L365 740Z" fill="#f7f5f0" opacity=".75"/><path d="M362 690 L540 690 L533 740 L367 740Z" fill="#5a3620" opacity=".85"/><path d="M280 400 L620 400 L590 340 L310 340Z" fill="#faf7f0"/>`,
    shadow: 200,
  }),
  jar: () => ({
    body: 'M310 360 L590 360 Q630 380 630 430 L630 680 Q630 740 570 740 L330 740 Q270 740 270 680 L270 430 Q270 380 310 360Z',
    more: '<path d="M330 290 L570 290 L560 370 L340 370Z" fill="#c99f6a"/><path d="M330 290 L570 290 L567 312 L333 312Z" fill="#dbb583"/>',
    shadow: 230,
  }),
  candle: (palette) => ({
    body: 'M250 690 Q450 730 650 690 Q640 745 570 745 L330 745 Q260 745 250 690Z M410 560 L490 560 L505 705 L395 705Z',
    more: `<rect x="424" y="270" width="52" height="300" rx="8" fill="#f6efdf"/><path d="M450 270 L450 238" stroke="#4b3b2c" stroke-width="6"/><path d="M450 150 C490 200 480 240 450 244 C420 240 410 200 450 150Z" fill="#f2a541"/>${handle('M640 690 C740 640 760 740 640 730', palette, 20)}`,
  }),
  bag: ({ glaze }) => ({
    body: 'M300 240 L600 240 L625 300 L635 720 Q635 742 612 742 L288 742 Q265 742 265 720 L275 300Z',
    more: `<path d="M296 205 L604 205 L604 250 L296 250Z" fill="${glaze}"/><path d="M296 205 L604 205 L604 250 L296 250Z" fill="#000" opacity=".18"/>`,
    shadow: 230,
  }),
};

/** An opening, seen from above. */
const opening = (cx: number, cy: number, rx: number, ry: number, { detail }: Palette): string =>
  `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${detail}"/><ellipse cx="${cx}" cy="${cy + 7}" rx="${rx - 14}" ry="${Math.max(4, ry - 8)}" fill="#000" opacity=".28"/>`;

const rims: Readonly<Record<Exclude<Shape, 'bag'>, (palette: Palette) => string>> = {
  mug: (palette) =>
    `${opening(450, 380, 160, 30, palette)}<ellipse cx="450" cy="388" rx="142" ry="20" fill="#4a2c1a"/>`,
  espresso: (palette) =>
    `${opening(450, 500, 115, 22, palette)}<ellipse cx="450" cy="506" rx="100" ry="14" fill="#6a4022"/>`,
  bowl: (palette) => opening(450, 480, 250, 42, palette),
  plate: ({ detail }) =>
    `<circle cx="450" cy="445" r="196" fill="none" stroke="${detail}" stroke-width="5" opacity=".5"/>`,
  vase: (palette) => opening(450, 252, 45, 10, palette),
  teapot: ({ glaze, detail }) =>
    `<ellipse cx="450" cy="404" rx="112" ry="26" fill="${glaze}"/><circle cx="450" cy="366" r="26" fill="${detail}"/>`,
  pitcher: () => '',
  planter: ({ glaze }) => `<path d="M280 436 L620 436 L614 486 L286 486Z" fill="${glaze}"/>`,
  dripper: () => '',
  jar: () => '',
  candle: () => '',
};

function decoration(pattern: Good['drawing']['pattern'], { glaze, detail }: Palette, chances: Chances): string {
  const wave = chances.whole(-40, 40);
  if (pattern === 'dipped')
    return `<path d="M0 0 L900 0 L900 ${560 + wave} Q720 ${500 - wave} 560 ${570 + wave} T220 ${540 - wave} T0 ${580 + wave}Z" fill="${glaze}"/>`;
  if (pattern === 'bands')
    return [430, 520, 640]
      .map(
        (y, index) =>
          `<path d="M0 ${y + wave} Q450 ${y + 36 + wave} 900 ${y + wave} L900 ${y + 46 + wave + index * 22} Q450 ${y + 82 + wave + index * 22} 0 ${y + 46 + wave + index * 22}Z" fill="${index === 1 ? detail : glaze}" opacity="${index === 1 ? 0.85 : 1}"/>`,
      )
      .join('');
  if (pattern === 'plain')
    return `<path d="M0 ${640 + wave} Q450 ${700 + wave} 900 ${640 + wave} L900 900 L0 900Z" fill="${detail}" opacity=".35"/>`;
  const dots = Array.from({ length: 130 }, () => {
    const [x, y, r] = [chances.whole(150, 750), chances.whole(150, 740), chances.whole(2, 7)];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${detail}" opacity=".55"/>`;
  });
  return `<path d="M0 0 L900 0 L900 ${470 + wave} Q450 ${560 + wave} 0 ${470 + wave}Z" fill="${glaze}"/>${dots.join('')}`;
}

/** Of a bag of coffee: a landscape without a word. */
function label({ detail, glaze }: Palette, chances: Chances): string {
  const [sun, hill] = [chances.whole(370, 530), chances.whole(-30, 30)];
  return `<rect x="330" y="360" width="240" height="270" rx="14" fill="${detail}"/>
    <circle cx="${sun}" cy="440" r="42" fill="${glaze}" opacity=".85"/>
    <path d="M330 ${560 + hill} Q400 ${490 - hill} 470 ${550 + hill} T570 ${530 - hill} L570 616 Q570 630 556 630 L344 630 Q330 630 330 616Z" fill="${glaze}"/>
    <path d="M330 ${600 - hill / 2} Q430 ${560 + hill / 2} 570 ${604 + hill / 2} L570 616 Q570 630 556 630 L344 630 Q330 630 330 616Z" fill="#000" opacity=".22"/>
    <g fill="${detail}"><rect x="390" y="664" width="120" height="12" rx="6"/><rect x="415" y="688" width="70" height="10" rx="5" opacity=".7"/></g>`;
}
