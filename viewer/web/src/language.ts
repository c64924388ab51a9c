// SPDX-License-Identifier: MIT
// uPlot makes a number format of navigator.language when it is imported. In the C locale, WebKit's
// language is "c", for which Intl throws a RangeError. Imported before uPlot.

try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
