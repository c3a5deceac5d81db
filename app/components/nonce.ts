import { createContext } from 'react';

/** The content-security policy's; empty in the browser, which hides it. */
export const Nonce = createContext('');
