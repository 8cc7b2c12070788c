import { parseObject } from '../../../base/lib/json'
import type { Json } from '../../../base/lib/json-schema'

export const NO_OBJECT = 'The arguments are no JSON object'

/** Null for what is no object. A tool without arguments may be called with an empty text. */
export const readArguments = (written: string): Json | null => (written.trim() === '' ? {} : parseObject(written))

const MOST_SUMMARY = 300

/** What a tool was asked for, as the model wrote it. */
export const summaryOf = (written: string): string => written.slice(0, MOST_SUMMARY)
