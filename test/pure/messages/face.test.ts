import { expect, test } from 'vitest';
import { faceOf } from '../../../app/domain/messages/messages';

test.each([
  ['who did it', { other: 'Ines', isOwn: true, client: 'Maya', host: 'Duarte' }, 'Ines'],
  ['the client, of a message to a host', { other: null, isOwn: true, client: 'Maya', host: 'Duarte' }, 'Maya'],
  ['the host, of a reminder to a client', { other: null, isOwn: false, client: null, host: 'Duarte' }, 'Duarte'],
  ['nobody, where they have left', { other: '', isOwn: false, client: null, host: '' }, null],
])('beside news stands the face of %s', (_, message, face) => {
  expect(faceOf(message)).toBe(face);
});
