import { expect } from 'vitest';
import { DomainError } from '../../app/domain/errors';
import { inEnglish } from '../../app/domain/words/english';
import type { ApiResponse } from './visit';

/** The path of a personal link, whatever its key. */
export const personalLink = expect.stringMatching(/^\/booking\/[\w-]{22,}$/);
/** The API's answer about a missing thing. */
export const nothing = { status: 404, json: expect.any(String) };

/** The responses to a booking that came too late, and to a change of an appointment that has begun. */
export const taken = { status: 409, json: 'This appointment has just been booked by someone else.' };
export const started = { status: 409, json: 'This appointment has already started.' };

/** The messages of a response that refuses the input: by a 400, unless said otherwise. */
export function complaints({ status, json }: ApiResponse, expected = 400): string[] {
  expect({ status, json }).toEqual({ status: expected, json: expect.any(Array) });
  for (const message of json as unknown[]) expect(message).toEqual(expect.any(String));
  return json as string[];
}

/** The status of a response that refuses for another reason, with one message. */
export function refusal({ status, json }: ApiResponse): number {
  expect(json).toEqual(expect.any(String));
  return status;
}

/** What the domain says against an input, message by message; nothing where it is taken. */
export function faultsOf(reading: () => unknown): string[] {
  try {
    reading();
    return [];
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
    return error.faults.map(({ message }) => inEnglish(message));
  }
}
