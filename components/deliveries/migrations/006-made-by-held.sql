-- Who made a webhook is held to the log: with another maker, what shutting out a client suspends is another.
grant select (created_by, created_through) on deliveries.endpoint to {{job:audit_verifier}};
