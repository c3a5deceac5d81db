import { index, type RouteConfig, route } from '@remix-run/route-config';

/** Every address of the product. */
export default [
  index('routes/home.tsx'),

  route('register', 'routes/account/register.tsx'),
  route('login', 'routes/account/login.tsx'),
  route('logout', 'routes/account/logout.tsx'),
  route('profile', 'routes/account/profile.tsx'),
  route('forgot-password', 'routes/account/forgot-password.tsx'),
  route('reset-password/:token?', 'routes/account/reset-password.tsx'),
  route('email', 'routes/account/email.tsx'),
  route('confirm-email/:token', 'routes/account/confirm-email.tsx'),
  route('your-data', 'routes/account/your-data.tsx'),
  route('your-data/daybook.json', 'routes/account/export-file.ts'),
  route('devices', 'routes/account/devices.tsx'),
  route('recovery-codes', 'routes/account/recovery-codes.tsx'),
  route('accessibility', 'routes/account/accessibility.tsx'),
  route('not-logged-in', 'routes/account/not-logged-in.tsx'),

  route('view', 'routes/booking/find.tsx'),
  route('details/:id', 'routes/booking/book.tsx'),
  route('details-cancel/:id', 'routes/booking/cancel.tsx'),
  route('move/:id/:to?', 'routes/booking/move.tsx', { id: 'move' }),
  route('booking/:key/move/:to?', 'routes/booking/move.tsx', { id: 'move-by-link' }),
  route('appointments/:id/daybook.ics', 'routes/booking/calendar-file.ts'),

  route('with/:username', 'routes/with/provider.tsx'),
  route('with/:username/:id', 'routes/with/book.tsx'),
  route('claim', 'routes/letters/claim.tsx'),
  route('answer/:key', 'routes/letters/answer.tsx'),
  route('booking/:key', 'routes/letters/booking.tsx'),
  route('booking/:key/daybook.ics', 'routes/letters/booking-file.ts'),

  route('create', 'routes/appointments/publish.tsx'),
  route('rules', 'routes/account/rules.tsx'),
  route('hours', 'routes/hours/hours.tsx'),
  route('view-open', 'routes/appointments/open.tsx'),
  route('view-booked', 'routes/appointments/booked.tsx'),
  route('view-dash', 'routes/appointments/dash.tsx'),
  route('details-provider/:id', 'routes/appointments/details.tsx', { id: 'details-provider' }),
  route('view-provider/:id', 'routes/appointments/details.tsx', { id: 'view-provider' }),

  route('create-template', 'routes/templates/write.tsx', { id: 'create-template' }),
  route('edit-template/:id', 'routes/templates/write.tsx', { id: 'edit-template' }),
  route('view-templates', 'routes/templates/list.tsx'),
  route('details-template/:id', 'routes/templates/details.tsx'),

  route('create-party', 'routes/parties/create.tsx'),
  route('view-parties', 'routes/parties/list.tsx'),
  route('view-party/:id', 'routes/parties/manage.tsx'),
  route('view-party/:id/guests.csv', 'routes/parties/guest-list.ts', { id: 'party-guests' }),
  route('edit-party/:id', 'routes/parties/edit.tsx'),
  route('repeat/:id', 'routes/parties/repeat.tsx'),
  route('invitations', 'routes/parties/answered.tsx'),
  route('party/:id', 'routes/letters/party.tsx'),
  route('party/:id/daybook.ics', 'routes/letters/calendar-file.ts', { id: 'party-calendar-file' }),

  route('view-meetups', 'routes/meetups/list.tsx'),
  route('manage-meetup/:id', 'routes/meetups/manage.tsx'),
  route('manage-meetup/:id/attendees.csv', 'routes/meetups/attendee-list.ts'),
  route('meetup-rsvp/:id', 'routes/letters/meetup.tsx'),
  route('meetup-rsvp/:id/daybook.ics', 'routes/letters/calendar-file.ts', { id: 'meetup-calendar-file' }),

  route('week', 'routes/calendar/week.tsx'),
  route('day', 'routes/calendar/day.tsx'),
  route('people', 'routes/calendar/people.tsx'),
  route('people/:id', 'routes/calendar/person.tsx'),
  route('calendar', 'routes/calendar/feeds.tsx'),
  route('calendar/:feed', 'routes/calendar/feed.ts'),

  route('news', 'routes/messages/news.tsx'),
  route('unsubscribe/:token', 'routes/messages/unsubscribe.tsx'),

  route('api', 'routes/api/index.tsx'),
  route('api/Account/:call', 'routes/api/account.ts'),
  route('api/Appointment/:call', 'routes/api/appointment.ts'),
  route('api/Checkin/:call', 'routes/api/checkin.ts'),
  route('api/Party/:call/:id?', 'routes/api/party.ts'),
  route('api/meetup/:call/:id?', 'routes/api/meetup.ts'),
  route('api/Public/:call', 'routes/api/public.ts'),
  route('api/:call', 'routes/api/health.ts'),
  route('api/*', 'routes/api/unknown.ts'),

  // A missing page still shows the reader's own menu.
  route('*', 'routes/missing.ts'),
] satisfies RouteConfig;
