-- compatible since: 0.1.0
-- Looks at every row without keeping others waiting (0047).

alter table contacts validate constraint contacts_erasure_id_fkey;
alter table contacts validate constraint contacts_erased_check;
