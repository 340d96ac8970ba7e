-- Lines of a bank name documents by the reference of whoever pays, such as the number of an order, or by the number of the supplier.
create index document_reference on accounting.document (tenant_id, lower(reference)) where reference is not null;
create index document_supplier_called on accounting.document (tenant_id, lower(supplier_number)) where supplier_number is not null;
