// A `?` or `&` in the address must not add another recipient or a text.
export const mailtoOf = (email: string): string => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
