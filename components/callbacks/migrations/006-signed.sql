-- What of a delivery its provider's signature covers, where that is not the whole body: what comes again with the same is the same.
alter table callbacks.delivery add column signed_sha256 callbacks.digest;
alter type callbacks.taking add attribute signed text;
