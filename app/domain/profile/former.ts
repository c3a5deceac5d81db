export const formerName = 'Former guest';

export const formerProvider = 'a provider who has left';

/** Names the provider, even a deleted one. @param isFirst the words begin a sentence or stand alone */
export const providerWords = (name: string, isFirst = false): string => {
  if (name !== '' && name !== formerName) return name;
  return isFirst ? 'A provider who has left' : formerProvider;
};
