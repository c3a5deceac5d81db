// The tables as the code sees them. The migrations make them, with constraints, triggers and indexes;
// test/domain/db/schema.test.ts compares the two.
export * from './accounts';
export * from './bookings';
export * from './calendars';
export * from './hours';
export * from './logins';
export * from './messages';
export * from './parties';
export * from './people';
export * from './services';
export * from './shops';
export * from './slots';
export * from './templates';
export * from './waitlist';
export * from './webhooks';
export * from './writes';
