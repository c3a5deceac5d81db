import { Trans as LinguiTrans, type TransProps } from '@lingui/react';

/** Lingui reads tags in values too. Here a value with `<` is shown as somebody typed it: Lingui leaves a list as it is. */
export function Trans({ values, ...props }: TransProps) {
  const safe = Object.entries(values ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' && value.includes('<') ? [value] : value,
  ]);
  return <LinguiTrans {...props} values={Object.fromEntries(safe)} />;
}
