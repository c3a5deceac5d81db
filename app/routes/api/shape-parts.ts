import * as z from 'zod/mini';
import { localTimePattern, wireDatePattern } from '../../domain/time/clock';

// The parts of the API's JSON; the files beside this one describe each noun. The schemas make the OpenAPI document and
// the types. Nothing is parsed with them.

export const textOrNone = z.nullable(z.string());
export const dateJson = z.string().check(z.regex(wireDatePattern));
export const time = z.string().check(z.regex(localTimePattern));
export const instant = z.string().check(z.meta({ format: 'date-time' }));
export const count = z.number().check(z.meta({ type: 'integer', minimum: 0 }));
export const answers = z.array(z.object({ question: z.string(), answer: z.string() }));

/** The times of a slot or event: as local times, and as instants. */
export const when = {
  date: dateJson,
  startTime: time,
  endTime: time,
  startsAt: instant,
  endsAt: instant,
  timeZone: z.string(),
};

/** Gives a schema its name in the OpenAPI document. */
export function named<Schema extends z.ZodMiniType>(id: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { id });
  return schema;
}
