-- Who made a feed is held to the log: with another maker, what shutting out a client suspends is another.
grant select (created_by, created_through) on acp.feed to {{job:audit_verifier}};
