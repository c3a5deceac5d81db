// A `?` or `&` in the address adds no other reader and no text.
export const mailtoOf = (email: string): string => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
