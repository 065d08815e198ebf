-- compatible since: 0.1.0
alter table customer_messages validate constraint customer_messages_kind_check;
alter table partners validate constraint partners_customer_messages_check;
alter table contacts validate constraint contacts_language_check;
alter table contacts validate constraint contacts_messages_stopped_check;
