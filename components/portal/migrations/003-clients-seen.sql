-- Of the clients that came to a tenant the newest are kept.
grant delete on portal.client_seen to {{app}};
