import * as z from 'zod/mini';
import { given, paragraph, templateId } from '../input/fields';
import { limits } from '../input/limits';

/** A change is for this slot, for its day, or for all that were published with it. */
export const scopes = ['slot', 'day', 'publication'] as const;
export type Scope = (typeof scopes)[number];

export const changed = z.object({
  id: given('Id'),
  for: z.optional(z.enum(scopes, 'Change it for the slot, its day or its publication.')),
});

export const change = z.object({ notes: paragraph('Notes', limits.notes), templateId });
export type Change = z.output<typeof change>;
