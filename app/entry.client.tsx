import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { watchTextAreas } from './components/forms/controls';
import { takeDestination } from './components/frame/destination';

const heading = takeDestination();
if (heading) location.replace(heading);
else {
  watchTextAreas();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
}
