import type { PublishedProduct } from '@steward/catalogue';

const mostOffers = 100;
const mostPictures = 10;
const longestDescription = 5_000;

/**
 * A product as search engines and agents read it on its page (schema.org): what one of each variant costs, in each currency that it is sold in.
 * @param url of the page
 */
export function productData(product: PublishedProduct, url: string): object {
  const { title, description, vendor, media, variants } = product;
  const offers = variants.flatMap(({ sku, options, prices, available }) => {
    const chosen = Object.values(options).filter((label) => label !== '');
    return prices
      .filter(({ minQuantity }) => minQuantity === 1)
      .map(({ amount, currency }) => ({
        '@type': 'Offer',
        url,
        ...(chosen.length === 0 ? {} : { name: `${title} (${chosen.join(' / ')})` }),
        ...(sku === null ? {} : { sku }),
        price: amount,
        priceCurrency: currency,
        availability: `https://schema.org/${available ? 'InStock' : 'OutOfStock'}`,
      }));
  });
  const said = description.slice(0, longestDescription).toWellFormed();
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    url,
    name: title,
    ...(said === '' ? {} : { description: said }),
    ...(vendor === null ? {} : { brand: { '@type': 'Brand', name: vendor } }),
    ...(media.length === 0 ? {} : { image: media.slice(0, mostPictures).map((picture) => picture.url) }),
    ...(offers.length === 0 ? {} : { offers: offers.slice(0, mostOffers) }),
  };
}

/** A block of data in a page. Nothing in it ends the block, opens a comment or is a reference. */
export const dataBlock = (data: object): string =>
  `<script type="application/ld+json">${JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}</script>`;
