import { createContext } from 'react';

/** The nonce of the content-security policy; empty in the browser, which hides it. */
export const Nonce = createContext('');
