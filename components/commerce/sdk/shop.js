const storefront = new URL('../storefront/v1', location.href).href;
const { shopOf } = await import(`${storefront}/shop.js`);

const at = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const key = query.get('key') ?? '';
const lang = query.get('lang') ?? '';
const page = (more = '') => `?key=${encodeURIComponent(key)}${lang && `&lang=${encodeURIComponent(lang)}`}${more}`;
const pages = {
  'product-url': page('&product={handle}'),
  'cart-url': page('&view=cart'),
  'checkout-url': page('&view=checkout'),
  'shop-url': page(),
};

function show(name, title, attributes = {}) {
  const element = document.createElement(`storefront-${name}`);
  const all = { 'sdk-key': key, ...(lang && { locale: lang }), ...pages, ...attributes };
  for (const [attribute, value] of Object.entries(all)) element.setAttribute(attribute, value);
  at('title').textContent = title;
  at('title').hidden = title === '';
  let wasShown = false;
  element.addEventListener('storefront-failed', ({ detail }) => {
    // A product that is not there says nothing of the key, and neither does what the shop refuses once it is open. Whoever mistyped the key mends it here.
    if (detail.status === 404 || (wasShown && ![401, 403].includes(detail.status))) return;
    at('choose').elements.key.value = key;
    at('choose').hidden = false;
    at('title').hidden = true;
    at('why').textContent = `${detail.code ?? detail.name}: ${detail.message}`;
  });
  element.addEventListener('storefront-shown', () => {
    wasShown = true;
    at('choose').hidden = true;
    at('title').hidden = title === '';
  });
  at('shown').append(element);
  return element;
}

function count(cart) {
  const { itemCount = 0 } = cart ?? {};
  at('count').textContent = itemCount;
  at('count').hidden = itemCount === 0;
}

if (lang) document.documentElement.lang = lang;
at('origin').textContent = location.origin;
at('choose').hidden = key !== '';
if (key !== '') {
  at('home').href = page();
  at('cart').href = pages['cart-url'];
  at('cart').hidden = false;
  const view = query.get('view');
  const handle = query.get('product');
  if (view === 'cart') show('cart', 'Cart');
  else if (view === 'checkout')
    show('checkout', 'Checkout').addEventListener('storefront-shown', ({ target }) => {
      const ordered = () => {
        at('title').textContent = target.checkout?.status === 'completed' ? 'Ordered' : 'Checkout';
      };
      ordered();
      target.addEventListener('storefront-checkout-change', ordered);
    });
  else if (handle)
    show('product', '', { handle, 'heading-level': '1' }).addEventListener('storefront-shown', ({ target }) => {
      document.title = target.product.title;
    });
  else show('products', 'All products', { search: '', facets: query.get('facets') ?? 'type,vendor,available' });
  const { cart } = shopOf(storefront, key);
  cart.watch(count);
  cart.get().then(count, () => undefined);
}
