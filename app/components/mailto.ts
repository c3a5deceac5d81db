/** A link that writes to an address: a `?` or `&` in it adds no other reader and no text. */
export const mailtoOf = (email: string): string => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
