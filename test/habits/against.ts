import { setTimeout as sleep } from 'node:timers/promises';
import { several } from '../support/factories';

/* How many of many at once get one time, at any scheduler that strangers can book with. */

/** What somebody heard: whatever is neither a booking nor a refusal is told in its own words. */
export type Heard = 'booked' | 'gone' | { unclear: string };

/** The form of one time, as one person has it before them. `time` names the time for all others. */
export type OpenForm = { time: string; send(name: string): Promise<Heard> };

/** How strangers book with a scheduler. There is a file for each. */
export type Scheduler = {
  /**
   * Opens the form of one time in a browser of its own: of `time`, or of the first that the page shows as free.
   * @throws Error if there is no form, because the time is gone
   */
  open(page: string, time?: string): Promise<OpenForm>;
  /** How long somebody reads the form before sending it, in milliseconds. Some take one that comes at once for a machine's. */
  readsFor?: number;
};

export type Raced = { time: string; booked: number; gone: number; unclear: string[]; isShownAfter: boolean };

/**
 * Lets so many people open the form of the same free time, and send it in the same moment. It books that time in earnest.
 * @throws Error if the page shows no free time
 */
export async function raceAgainst({ open, readsFor = 0 }: Scheduler, page: string, people: number): Promise<Raced> {
  const first = await open(page);
  const forms = [first, ...(await several(people - 1, () => open(page, first.time)))];
  await sleep(readsFor);
  const heard = await Promise.all(forms.map((form, place) => form.send(`Racer ${place + 1}`)));
  const isShownAfter = await open(page, first.time).then(
    () => true,
    () => false,
  );
  return {
    time: first.time,
    booked: heard.filter((one) => one === 'booked').length,
    gone: heard.filter((one) => one === 'gone').length,
    unclear: heard.flatMap((one) => (typeof one === 'string' ? [] : [one.unclear])),
    isShownAfter,
  };
}

/** What a race has found, in lines. */
export const racedWords = ({ time, booked, gone, unclear, isShownAfter }: Raced): string[] => [
  `The time: ${time}`,
  `${booked} of ${booked + gone + unclear.length} at once were told that they have it, ${gone} that it is gone.`,
  ...(unclear.length > 0 ? [`${unclear.length} heard something else, such as: ${unclear[0]}`] : []),
  `Afterwards it is ${isShownAfter ? 'still shown as free' : 'not shown any more'}.`,
];
