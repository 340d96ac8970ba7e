-- What approvers are told is owed by mail's outbox.
drop function if exists approvals.claim_notices(interval, int);
drop table approvals.notice;
