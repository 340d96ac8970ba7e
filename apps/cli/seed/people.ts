import { normalized } from '@steward/kernel';
import type { Chances } from './random.ts';

export interface Buyer {
  readonly name: string;
  readonly email: string;
  readonly locale: string;
  readonly address: {
    readonly name: string;
    readonly line1: string;
    readonly city: string;
    readonly postcode: string;
    readonly country: string;
  };
}

interface Land {
  readonly country: string;
  readonly locale: string;
  /** How many of a hundred buyers live there. */
  readonly share: number;
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly streets: readonly string[];
  readonly cities: readonly (readonly [city: string, postcode: string])[];
}

const list = (text: string): string[] => text.split(', ');

const lands: readonly Land[] = [
  {
    country: 'DE',
    locale: 'de',
    share: 54,
    first: list(
      'Lena, Jonas, Mia, Paul, Hannah, Emre, Greta, Felix, Aylin, Moritz, Clara, Thilo, Sophie, Kaan, Ida, Lukas, Marlene, Tom, Nele, Anton',
    ),
    last: list(
      'Müller, Schneider, Yılmaz, Fischer, Weber, Wagner, Becker, Hoffmann, Koch, Richter, Klein, Wolf, Neumann, Schwarz, Krüger, Hartmann, Lange, Demir, Vogt, Kraus',
    ),
    streets: list(
      'Torstraße, Lindenallee, Gartenweg, Bahnhofstraße, Mühlenweg, Kastanienallee, Schillerstraße, Am Markt',
    ),
    cities: [
      ['Berlin', '10119'],
      ['Hamburg', '20357'],
      ['Leipzig', '04109'],
      ['Köln', '50667'],
      ['München', '80331'],
      ['Freiburg', '79098'],
      ['Dresden', '01097'],
      ['Bremen', '28203'],
    ],
  },
  {
    country: 'AT',
    locale: 'de',
    share: 9,
    first: list('Anna, Maximilian, Theresa, Florian, Valentina, Jakob'),
    last: list('Gruber, Huber, Steiner, Moser, Pichler, Leitner'),
    streets: list('Mariahilfer Straße, Neubaugasse, Hauptplatz, Herrengasse'),
    cities: [
      ['Wien', '1070'],
      ['Graz', '8010'],
      ['Salzburg', '5020'],
    ],
  },
  {
    country: 'NL',
    locale: 'en',
    share: 9,
    first: list('Sanne, Daan, Fleur, Bram, Noor, Sem'),
    last: list('de Vries, Jansen, Bakker, Visser, Smit, Mulder'),
    streets: list('Prinsengracht, Oudegracht, Kerkstraat, Haarlemmerdijk'),
    cities: [
      ['Amsterdam', '1017 DE'],
      ['Utrecht', '3511 AL'],
      ['Rotterdam', '3012 KL'],
    ],
  },
  {
    country: 'FR',
    locale: 'en',
    share: 8,
    first: list('Camille, Louis, Inès, Hugo, Manon, Théo'),
    last: list('Martin, Bernard, Dubois, Moreau, Laurent, Girard'),
    streets: list('rue des Martyrs, rue Oberkampf, cours Mirabeau, rue Sainte-Catherine'),
    cities: [
      ['Paris', '75009'],
      ['Lyon', '69001'],
      ['Bordeaux', '33000'],
    ],
  },
  {
    country: 'ES',
    locale: 'es',
    share: 7,
    first: list('Lucía, Mateo, Carmen, Diego, Paula, Álvaro'),
    last: list('García, Fernández, Navarro, Ruiz, Serrano, Molina'),
    streets: list('Calle de Fuencarral, Carrer de Blai, Calle Betis, Calle Larios'),
    cities: [
      ['Madrid', '28004'],
      ['Barcelona', '08004'],
      ['Sevilla', '41010'],
    ],
  },
  {
    country: 'DK',
    locale: 'en',
    share: 5,
    first: list('Freja, Oskar, Alma, Emil'),
    last: list('Nielsen, Hansen, Madsen, Kjær'),
    streets: list('Jægersborggade, Vesterbrogade, Latinerkvarteret'),
    cities: [
      ['København', '2200'],
      ['Aarhus', '8000'],
    ],
  },
  {
    country: 'GB',
    locale: 'en',
    share: 4,
    first: list('Oliver, Amelia, Harry, Priya'),
    last: list('Walker, Hughes, Patel, Bennett'),
    streets: list('Brick Lane, Park Street, Byres Road'),
    cities: [
      ['London', 'E1 6PU'],
      ['Bristol', 'BS1 5HL'],
      ['Glasgow', 'G12 8AP'],
    ],
  },
  {
    country: 'CH',
    locale: 'de',
    share: 3,
    first: list('Nina, Reto, Selina, Urs'),
    last: list('Meier, Keller, Brunner, Frei'),
    streets: list('Langstrasse, Spalenberg, Kramgasse'),
    cities: [
      ['Zürich', '8004'],
      ['Basel', '4051'],
      ['Bern', '3011'],
    ],
  },
  {
    country: 'JP',
    locale: 'ja',
    share: 1,
    first: list('Yuki, Haruto, Sakura'),
    last: list('Tanaka, Sato, Kobayashi'),
    streets: list('Jingumae, Naka-Meguro, Gion'),
    cities: [
      ['Tokyo', '150-0001'],
      ['Kyoto', '605-0001'],
    ],
  },
];
export const countries = lands.map(({ country }) => country);

const plain = (text: string): string =>
  normalized(text, 'NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z]/g, '');

/** People who are nobody: their addresses are of `example.*`, which no mail reaches. */
export function buyers(count: number, chances: Chances): Buyer[] {
  const known = new Set<string>();
  const made: Buyer[] = [];
  while (made.length < count) {
    let drawn = chances.whole(1, 100);
    const land = lands.find(({ share }) => (drawn -= share) <= 0) ?? lands[0];
    if (land === undefined) break;
    const [first, last] = [chances.of(land.first), chances.of(land.last)];
    const same = known.has(`${first} ${last}`) ? String(made.length) : '';
    known.add(`${first} ${last}`);
    const [city, postcode] = chances.of(land.cities);
    const name = `${first} ${last}`;
    const number = chances.whole(1, 98);
    const street = chances.of(land.streets);
    made.push({
      name,
      email: `${plain(first)}.${plain(last)}${same}@${chances.of(['example.com', 'example.org', 'example.net'])}`,
      locale: land.locale,
      address: {
        name,
        line1: ['FR', 'GB', 'JP'].includes(land.country) ? `${number} ${street}` : `${street} ${number}`,
        city,
        postcode,
        country: land.country,
      },
    });
  }
  return made;
}
