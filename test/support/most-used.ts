import { dictionary } from '@zxcvbn-ts/language-common';

/** The list of passwords that leaked most, the most used first, in lower case. */
const leaked = dictionary['passwords-common'] as string[];

/** The passwords that satisfy our rules once a letter is a capital, the most used first. */
export const fitting = leaked.filter(
  (word) => word.length >= 8 && word.length <= 128 && /\d/.test(word) && /[a-z]/.test(word),
);

/** The source file of these passwords, sorted by character, which packs best. */
export function fileOf(words: string[]): string {
  const lines = [''];
  for (const word of [...words].sort()) {
    const line = lines.at(-1) as string;
    if (`${line} ${word}`.length > 150) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`.trim();
  }
  const text = lines.join('\n').replaceAll(/[\\`]|\$(?=\{)/g, '\\$&');
  return `// From the development package @zxcvbn-ts/language-common (MIT). To update it: npx vitest run test/security.test.ts -u
export const mostLeaked = \`
${text}
\`;
`;
}
