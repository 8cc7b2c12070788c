/** A key that names one change. It is also made where the page is not on https, so not by `randomUUID`. */
export const randomKey = (): string =>
  `console-${[...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(36)).join('')}`

/**
 * The headers of a change that must happen once and only to the object on the screen, such as another secret. Who sends
 * it again gets the first answer; who looks at an old object is refused.
 */
export const onceHeaders = (key: string, revision: number): Record<string, string> => ({
  'Idempotency-Key': key,
  'If-Match': `"${revision}"`,
})
