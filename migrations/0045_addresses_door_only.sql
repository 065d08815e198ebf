-- compatible since: 0.1.0
-- addresses_door_key takes their place: it knows flats.

drop index addresses_coordinates_key;
drop index addresses_texts_key;
