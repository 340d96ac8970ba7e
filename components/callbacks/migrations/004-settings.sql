-- What a provider says only once the address is registered, such as the id of a webhook, is given then.
grant update (settings) on callbacks.connection to {{app}};
