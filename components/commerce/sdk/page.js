const at = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const given = { 'form-id': query.get('form') ?? '', 'sdk-key': query.get('key') ?? '' };

at('origin').textContent = location.origin;
if (given['form-id'] !== '' && given['sdk-key'] !== '') {
  const element = document.createElement('storefront-form');
  for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
  // Whoever mistyped a key or an id mends it here.
  const choose = (again) => {
    for (const name of ['key', 'form']) at('choose').elements[name].value = query.get(name);
    at('choose').hidden = !again;
  };
  let ready = false;
  for (const name of ['ready', 'submit', 'success', 'error'])
    element.addEventListener(`storefront-${name}`, ({ type, detail }) => {
      const item = document.createElement('li');
      const what = detail.submissionId ?? detail.code ?? detail.formId ?? detail.name;
      item.textContent = `${type}: ${what}${name === 'error' ? `: ${detail.message}` : ''}`;
      at('events').append(item);
      ready ||= name === 'ready';
      choose(!ready);
    });
  const attributes = Object.entries(given).map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`);
  const tag = 'script';
  at('markup').textContent =
    `<${tag} type="module" src="${new URL('storefront/v1/sdk.js', location.href)}"></${tag}>\n` +
    `<storefront-form${attributes.join('')}></storefront-form>`;
  at('shown').append(element);
  at('told').hidden = false;
  choose(false);
}
