import { createContext } from 'react';

/** The nonce of this response's content-security policy, for script tags; empty in the browser, which hides it. */
export const Nonce = createContext('');
