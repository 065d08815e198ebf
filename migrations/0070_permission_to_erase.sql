-- compatible since: 0.1.0
-- Erasing has a permission of its own: keys that could erase keep it.

update api_keys set permissions = array_append(permissions, 'partner_contacts_erase')
  where permissions @> '{partner_contacts_read}' and not permissions @> '{partner_contacts_erase}';
