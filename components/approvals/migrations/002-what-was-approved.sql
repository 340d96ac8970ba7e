-- What people were shown when they approved is compared with the event of their approval.
grant select (facts, currency, amount) on approvals.action to {{job:audit_verifier}};
