-- Processes keep what they read of the catalogue as long as its version is the same. Two things were read along that did
-- not move it: where an address lies, and the language in which a partner is answered. Texts of an address are not among
-- what is kept: filling them in, as the contacts' function does, moves nothing and waits for nobody.
create trigger addresses_catalogue_change after delete or update of partner_id, contact_id, latitude, longitude
  on addresses for each statement execute function bump_change_counter('catalogue');
create trigger partners_language_change after update of language on partners
  for each statement execute function bump_change_counter('catalogue');
