-- The request log in partitions (src/db/partitions.ts, docs/decisions/partitions.md). Its ids begin with the time, so that
-- they are the key of the partitions too: an entry is looked for in one of them, and the newest first is their order. The
-- ids of rows from before are smaller than all of these.
create sequence request_batch_number;

create function request_batch_id(p_now timestamptz) returns bigint
  language sql volatile
  return floor(extract(epoch from p_now) * 1000)::bigint * 1000 + nextval('request_batch_number') % 1000;

-- What was the table is its first partition, and takes all until the worker bounds it. Nothing is read or written here.
alter table request_batches rename to request_batches_first;
alter table request_batches_first alter id drop identity;
-- Processes of the version before do not name the id: theirs go on behind those from before.
select setval('request_batch_number', coalesce(max(id), 0) + 1, false) from request_batches_first;
alter table request_batches_first alter id set default nextval('request_batch_number');
create table request_batches (like request_batches_first including defaults including storage)
  partition by range (id);
alter table request_batches attach partition request_batches_first for values from (minvalue) to (maxvalue);

-- Whole partitions are dropped by their bounds.
drop index request_batches_recorded_idx;
