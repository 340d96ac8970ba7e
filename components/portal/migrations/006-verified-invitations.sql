-- For whoever verifies that an invitation is the one that was sent: to whom, with which secret, and until when, by a digest in its event.
grant select (email, secret_hash) on portal.invitation to {{job:audit_verifier}};
