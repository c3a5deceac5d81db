import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { fault, paragraph, requiredText, templateId } from '../input/fields';
import { limits } from '../input/limits';

const scopes = ['slot', 'day', 'publication'] as const;
export type Scope = (typeof scopes)[number];

export const changed = z.object({
  id: requiredText(msg`Id`),
  for: z.optional(z.enum(scopes, fault(msg`Change it for the slot, its day or its publication.`))),
});

export const change = z.object({ notes: paragraph(msg`Notes`, limits.notes), templateId });
export type Change = z.output<typeof change>;
