-- What credits a document, for their sum.
create index document_credits on accounting.document (tenant_id, credits) where credits is not null;
