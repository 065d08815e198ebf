-- Customers and addresses have one key each that begins with the ID, is what others refer to, and has the partner (or the
-- contact and the partner) in it. The ID alone was a second one: an index more to write for each new customer, which nothing
-- refers to, and which no distribution over nodes could keep (docs/SCALING.md).
alter table contacts drop constraint contacts_pkey, replica identity using index contacts_id_partner_key;
alter table addresses drop constraint addresses_pkey, replica identity using index addresses_id_contact_partner_key;
