-- What a gateway that tells of no settlement is asked about again.
create index feed_movement_unpaid on accounting.feed_movement (tenant_id, feed_id, day, movement_id)
  where payout_id is null and kind in ('charge', 'refund') and state in ('due', 'kept', 'double');
