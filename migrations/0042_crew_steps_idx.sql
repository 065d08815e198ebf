-- compatible since: 0.1.0
-- Steps of crews are listed and deleted by when they came, and their links after them.

create index crew_steps_received_idx on crew_steps (received_at desc);
create index crew_steps_link_idx on crew_steps (link_id);
