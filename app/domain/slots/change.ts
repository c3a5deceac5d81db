import * as z from 'zod/mini';
import { given, paragraph, templateId } from '../input/fields';
import { limits } from '../input/limits';

/** Which open slots a change is for: this one, all of its day, or all that were published with it. */
export const scopes = ['slot', 'day', 'publication'] as const;
export type Scope = (typeof scopes)[number];

/** Which open slots are changed, as a call names them. */
export const changed = z.object({
  id: given('Id'),
  for: z.optional(z.enum(scopes, 'Change it for the slot, its day or its publication.')),
});

/** What of open slots can be changed. */
export const change = z.object({ notes: paragraph('Notes', limits.notes), templateId });
export type Change = z.output<typeof change>;
