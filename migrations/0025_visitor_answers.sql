-- What visitors answer to invitations.
alter table appointments add column visitor_answer jsonb;
comment on column appointments.visitor_answer is 'The answer of the visitor to the invitation of its present time: { answer, answeredAt }; null: none.';
alter table appointment_notices drop constraint appointment_notices_kind_check,
  add constraint appointment_notices_kind_check
  check (kind in ('requested', 'booked', 'confirmed', 'rescheduled', 'cancelled', 'declined', 'reminder'));
