-- What people are shown is as the application wrote it. What was asked for before has no seal: it is shown anew before anybody approves it.
alter table approvals.action add column seal text;
grant update (seal) on approvals.action to {{app}};
