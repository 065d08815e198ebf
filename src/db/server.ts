/**
 * SQL: since when the server that answers runs (epoch seconds). After a failover another server gives out versions and numbers
 * of transactions again that were lost with the first: what was read on the one says nothing on the other.
 */
export const SERVER_STARTED = "date_part('epoch', pg_postmaster_start_time())";
