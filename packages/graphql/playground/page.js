const element = (id) => document.getElementById(id);
const fields = ['query', 'variables', 'headers'];
const fieldsOfTheSchema = `{ __schema { queryType { fields { name description } } mutationType { fields { name description } } } }`;

// The headers hold a token: they stay in this tab's memory; the operation and its variables may outlive it.
for (const id of ['query', 'variables']) element(id).value = sessionStorage.getItem(`graphql.${id}`) ?? '';
if (element('query').value === '') element('query').value = '{ __typename }';

function headers(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [name, ...rest] = line.split(':');
    return [name.trim(), rest.join(':').trim()];
  });
}

async function run(query) {
  const started = performance.now();
  element('status').textContent = 'Running…';
  try {
    const [, variables, given] = fields.map((id) => element(id).value);
    const response = await fetch(location.pathname, {
      method: 'POST',
      headers: [
        ...headers(given),
        ['content-type', 'application/json'],
        ['accept', 'application/graphql-response+json, application/json;q=0.9'],
      ],
      body: JSON.stringify({ query, variables: variables.trim() === '' ? null : JSON.parse(variables) }),
    });
    const text = await response.text();
    element('status').textContent = `${response.status} · ${Math.round(performance.now() - started)} ms`;
    try {
      element('answer').textContent = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      element('answer').textContent = text;
    }
  } catch (error) {
    element('status').textContent = `It did not run: ${error.message}`;
  }
}

element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  for (const id of ['query', 'variables']) sessionStorage.setItem(`graphql.${id}`, element(id).value);
  void run(element('query').value);
});
element('schema').addEventListener('click', () => void run(fieldsOfTheSchema));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) element('form').requestSubmit();
});
