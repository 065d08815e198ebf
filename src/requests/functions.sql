-- The ID of a batch begins with the time, so that it is the key of the partitions too: the newest first is the order of IDs.
create or replace function request_batch_id(p_now timestamptz) returns bigint
  language sql volatile
  return floor(extract(epoch from p_now) * 1000)::bigint * 1000 + nextval('request_batch_number') % 1000;
