import { describe, expect, test } from 'vitest';
import { lacksContact } from '../../../app/domain/parties/parties';

const [email, phone] = ['ada@mail.test', '555 100'];
const asking = { no: 'no', optional: 'optional', required: 'required' } as const;

describe('an answer lacks', () => {
  test.each([
    ['a required address', { askEmail: asking.required, askPhone: asking.no }, { phone }],
    ['a required number', { askEmail: asking.no, askPhone: asking.required }, { email }],
    ['what is required of who has not answered', { askEmail: asking.required, askPhone: asking.no }, null],
  ])('%s', (_, party, own) => {
    expect(lacksContact(party, own)).toBe(true);
  });
});

describe('an answer lacks nothing', () => {
  test.each([
    ['where nothing is required', { askEmail: asking.optional, askPhone: asking.optional }, {}],
    ['where the required address is known', { askEmail: asking.required, askPhone: asking.optional }, { email }],
    ['where the required number is known', { askEmail: asking.optional, askPhone: asking.required }, { phone }],
  ])('%s', (_, party, own) => {
    expect(lacksContact(party, own)).toBe(false);
  });
});
