export const formerName = 'Former guest';

export const formerProvider = 'a provider who has left';

/** @param isFirst the name begins a sentence or stands alone */
export const providerWords = (name: string, isFirst = false): string => {
  if (name !== '' && name !== formerName) return name;
  return isFirst ? 'A provider who has left' : formerProvider;
};
