/** The migrations of releases, by their SHA-256. They stay as they are: what a later version needs is a migration after them. */
export const released: Readonly<Record<string, string>> = {
  '0001_first_schema.sql': '858cfb7b13dda54a65cae484ac5d49ab16b50ae6b97effa9a2a5947535cc3cf4',
};
