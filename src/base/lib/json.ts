import { isObject, type Json } from './json-schema'

/** Null for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Null for bytes that are no JSON in UTF-8. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

/** Null for a text that is no JSON object. */
export function parseObject(text: string): Json | null {
  const value = parseJson(text)
  return isObject(value) ? value : null
}
