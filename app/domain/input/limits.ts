/** How long texts may be, in characters as people count them, and how long appointments, in minutes. */
export const limits = {
  username: { min: 3, max: 32 },
  displayName: 80,
  location: 80,
  description: 2000,
  email: 254,
  password: { min: 8, max: 128 },
  notes: 1000,
  reason: 500,
  privateNote: 1000,
  template: { name: 500, questions: 50, options: 50, text: 500, all: 100_000 },
  answer: 2000,
  party: {
    title: 200,
    description: 5000,
    address: 500,
    /** At least as long as the map search for the longest address: a client may send that link back. */
    url: 8000,
    capacity: 100_000,
    plusOnes: 20,
    names: 500,
    name: 80,
  },
  /** Of a provider's rules: 30 days in minutes; three years in days; appointments of one person, or of a day. */
  ruleMinutes: 43_200,
  keepAnswersDays: 3650,
  horizonDays: 1095,
  perSomething: 1000,
  minutes: { min: 5, max: 1440, usual: 30 },
  /** For one publication, and for all open slots of a provider. */
  dates: 366,
  slotsPerCall: 5000,
  openSlots: 10000,
  /** Of one day, in hours and in a publication. */
  ranges: 24,
  /** Of hours: minutes between two slots, days ahead, and exceptions. */
  hours: { gap: 240, ahead: { max: 365, usual: 56 }, except: 366 },
};

/** The rule for passwords, as the form shows it. */
export const passwordRule = `At least ${limits.password.min} characters, with one capital letter and one number.`;
