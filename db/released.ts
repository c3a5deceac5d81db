/** The migrations of releases, by their SHA-256. They stay as they are: what a later version needs is a migration after them. */
export const released: Readonly<Record<string, string>> = {
  '0001_first_schema.sql': '54849451b543d38945ca61bdee1b21d7d4432ed184e934f3c02efa59e317add0',
};
