-- compatible since: 0.1.0
-- Texts as a search compares them: what is stored and what is typed alike (foldedText in src/base/text.ts says the same). The bodies are
-- bound here, whatever the search_path of whoever makes an index.

-- Composed and decomposed letters, presentation forms and full widths as one; without marks, joiners, hamza and apostrophes; letters and
-- digits of other keyboards as those of Arabic and ASCII; dashes as blanks.
create function search_plain(given text) returns text
language sql immutable strict parallel safe
return translate(
    lower(regexp_replace(normalize(given, nfkd),
      '[\u0300-\u036f\u0610-\u061a\u0621\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u2018\u2019\u02bc\u02be\u02bf''`]',
      '', 'g') collate "und-x-icu"),
    'ىیېۍێےةۃہھەکڪٱٲٳ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹-‐‑‒–—―−/.,،',
    'ييييييهههههككااا01234567890123456789            ');

-- The same with the first parts of names joined to what follows: they are written with and without a blank.
create function search_fold(given text) returns text
language sql immutable strict parallel safe
return regexp_replace(search_plain(given), '(?<![^ ])(عبد|ابو|ال|abd|abu|al|el) +(?=[^ ])', '\1', 'g');
