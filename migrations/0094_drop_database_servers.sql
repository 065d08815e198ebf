-- Which server a read replica follows: reads go to the primary alone.
drop table database_servers;
