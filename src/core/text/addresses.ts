/** A mail address as people write it, without a name or quotes: at most 254 characters, with a domain that has a dot. */
export const isMailAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text)

const ADDRESS = /^[^\s@<>()",;:\\]{1,64}@[^\s@<>()",;:\\]{1,189}\.[^\s@<>()",;:\\.]{2,63}$/

/** A name or an address with an optional port, then path, query and fragment without spaces. */
const HTTPS =
  /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\d{1,5})?(?:[/?#][^\s\\]*)?$/i

/** Whether a text is an https address without a name or password in it. */
export const isHttpsUrl = (text: string): boolean => HTTPS.test(text)
