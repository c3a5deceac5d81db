import { expect, test } from 'vitest';
import { faceOf } from '../../../app/domain/messages/messages';

test.each([
  ['who did it', { other: 'Ines', isToHost: true, client: 'Maya', host: 'Duarte' }, 'Ines'],
  ['the client, of a message to a host', { other: null, isToHost: true, client: 'Maya', host: 'Duarte' }, 'Maya'],
  ['the host, of a reminder to a client', { other: null, isToHost: false, client: null, host: 'Duarte' }, 'Duarte'],
  ['nobody, where they have left', { other: '', isToHost: false, client: null, host: '' }, null],
])('beside news stands the face of %s', (_, message, face) => {
  expect(faceOf(message)).toBe(face);
});
