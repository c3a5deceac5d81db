import { I18nProvider } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { english } from '../../../app/domain/words/english';

test('a name with tags is shown as it was typed', () => {
  const name = '<b>Ann</b> & <0>Bo</0>';

  const shown = renderToStaticMarkup(
    <I18nProvider i18n={english}>
      <Trans>
        <strong>{name}</strong> comes
      </Trans>
    </I18nProvider>,
  );

  expect(shown).toBe('<strong>&lt;b&gt;Ann&lt;/b&gt; &amp; &lt;0&gt;Bo&lt;/0&gt;</strong> comes');
});
