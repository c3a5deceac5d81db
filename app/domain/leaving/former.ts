/** Stands for the name of a guest who has left. */
export const formerName = 'Former guest';

/** Stands for the name of a provider or host who has left. */
export const formerProvider = 'a provider who has left';

/** A provider's name for people. @param isFirst it begins a sentence or stands alone */
export const providerWords = (name: string, isFirst = false): string => {
  if (name !== '' && name !== formerName) return name;
  return isFirst ? 'A provider who has left' : formerProvider;
};
