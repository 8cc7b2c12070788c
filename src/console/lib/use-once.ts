import { useState } from 'react'

/** Sends an order with the header that makes the server do it once. `order` is what the call asks for. */
export type Once = <R>(order: unknown, call: (header: { 'Idempotency-Key': string }) => Promise<R>) => Promise<R>

/**
 * The server does one order for each key, keeps the answer of a success and no refusal. So an order keeps its key until
 * it succeeds: a repetition after a lost answer gets that answer, also when the form was changed in between and changed
 * back. A changed order has another key, and so has the same order after its success.
 */
export function makeOnce(): Once {
  const keys = new Map<string, string>()
  return async (order, call) => {
    const text = JSON.stringify(order)
    const key = keys.get(text) ?? randomKey()
    keys.set(text, key)
    const answer = await call({ 'Idempotency-Key': key })
    keys.delete(text)
    return answer
  }
}

/** The orders of one open form. */
export const useOnce = (): Once => useState(makeOnce)[0]

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
